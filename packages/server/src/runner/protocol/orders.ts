import type { Order } from "./messages.ts";

/** Parses an order. Null for a line that is not a known order, or whose attempt id is not a plain file name. */
export function parseOrder(line: string): Order | null {
  let order: Partial<Record<"do" | "attempt", unknown>> | null;
  try {
    order = JSON.parse(line) as typeof order;
  } catch {
    return null;
  }
  switch (order?.do) {
    case "list":
    case "prepare":
      return { do: order.do };
    case "start":
    case "cancel":
    case "forget":
      // the daemon and its runner are one product: the version defines the other members
      return typeof order.attempt === "string" && /^\w[\w-]*$/.test(order.attempt) ? (order as Order) : null;
    default:
      return null;
  }
}
