export interface Order {
  readonly id: string;
  readonly customer: string;
  readonly cents: number;
  readonly status: "placed" | "paid" | "packed" | "cancelled";
  readonly reason?: string;
}

const orders = new Map<string, Order>();

export async function findOrder(id: string): Promise<Order | undefined> {
  return orders.get(id);
}

export async function saveOrder(order: Order): Promise<void> {
  orders.set(order.id, order);
}
