export type { DeliveryEnded, DeliveryFact } from "./facts.ts";
export { openDeliveries } from "./open.ts";
export type { Deliveries } from "./service.ts";
