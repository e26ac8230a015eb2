export type { ChannelSecrets, Target } from "./channel-secrets.ts";
export { type EndpointRules, isLocalName, literalHost, refusalOfAddress } from "./endpoint.ts";
export type { ChannelDeleting, ChannelFact } from "./facts.ts";
export { openChannels } from "./open.ts";
export type { Channels } from "./service.ts";
export type { ChannelRow } from "./table.ts";
