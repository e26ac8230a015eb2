export { createAssignments } from "./assignments.ts";
export { createChannelSecrets } from "./channel-secrets.ts";
export { createChannels, type Channels } from "./channels.ts";
export { createDeliverer, type Deliverer } from "./deliverer.ts";
export { createDeliveries, type Deliveries } from "./deliveries.ts";
export type { NotificationFact } from "./facts.ts";
export { createNotificationHandlers, createNotificationReplays } from "./handlers.ts";
export { createNotificationReactions } from "./reactions.ts";
export { createRedeliveries } from "./redeliveries.ts";
export { createSender } from "./send-webhook.ts";
export {
  createAssignmentStore,
  createChannelStore,
  createDeliveryStore,
  createFormerSecretStore,
  createRedeliveryStore,
} from "./store.ts";
export { viewChannel } from "./view.ts";
