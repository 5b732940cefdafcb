export interface Refund {
  readonly orderId: string;
  readonly cents: number;
}

/** Pays money back through the provider; calling it twice for one order pays twice. */
export async function refundPayment(refund: Refund): Promise<string> {
  return `refund-${refund.orderId}-${refund.cents}`;
}
