import { sendMail } from "./mail.ts";
import { type Order, findOrder, saveOrder } from "./store.ts";

export class OrderNotFound extends Error {}

/** Orders can be cancelled until they are packed. */
export function canCancel(order: Order): boolean {
  return order.status === "placed" || order.status === "paid";
}

export async function cancelOrder(id: string, reason: string): Promise<Order> {
  const order = await findOrder(id);
  if (order === undefined) throw new OrderNotFound(id);
  if (!canCancel(order)) return order;
  const cancelled: Order = { ...order, status: "cancelled", reason };
  await saveOrder(cancelled);
  await sendMail(order.customer, "Your order was cancelled", reason);
  return cancelled;
}
