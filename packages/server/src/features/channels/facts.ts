export type ChannelFact =
  | { readonly name: "channel.created"; readonly channelId: string }
  | { readonly name: "channel.updated"; readonly channelId: string; readonly changed: readonly string[] }
  /** The channel's row is removed at the end of the write, after the rows that refer to it. */
  | { readonly name: "channel.deleting"; readonly channelId: string }
  | { readonly name: "channel.deleted"; readonly channelId: string; readonly erases: true }
  /** A delivery failed on a healthy channel, or succeeded on a failing one. */
  | { readonly name: "channel.health_turned"; readonly channelId: string };
export type ChannelDeleting = Extract<ChannelFact, { name: "channel.deleting" }>;
