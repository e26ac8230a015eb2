export type ChannelFact =
  | { readonly name: "channel.created"; readonly channelId: string }
  | { readonly name: "channel.updated"; readonly channelId: string; readonly changed: readonly string[] }
  | { readonly name: "channel.deleted"; readonly channelId: string }
  /** Its first delivery failed, or one succeeded again. */
  | { readonly name: "channel.health_turned"; readonly channelId: string };
export type ChannelDeleted = Extract<ChannelFact, { name: "channel.deleted" }>;
