export { type ChannelSecrets, createChannelSecrets, type Target } from "./channel-secrets.ts";
export { type EndpointRules, isLocalName, literalHost, refusalOfAddress } from "./endpoint.ts";
export type { ChannelDeleted, ChannelFact } from "./facts.ts";
export { createChannelHandlers } from "./handlers.ts";
export { type Channels, createChannels } from "./service.ts";
export { type ChannelStore, createChannelStore, createFormerSecretStore } from "./store.ts";
export type { ChannelRow } from "./table.ts";
export { viewChannel } from "./view.ts";
