export type { DeliveryEnded, DeliveryFact } from "./facts.ts";
export { createDeliveryHandlers, createDeliveryReplays } from "./handlers.ts";
export { createDeliveryReactions } from "./reactions.ts";
export { createRedeliveries } from "./redeliveries.ts";
export { createDeliverer, type Deliverer } from "./sending/deliverer.ts";
export { createSender } from "./sending/send-webhook.ts";
export { createDeliveries, type Deliveries } from "./service.ts";
export { createDeliveryStore, createRedeliveryStore } from "./store.ts";
