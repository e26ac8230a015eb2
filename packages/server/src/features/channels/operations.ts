import type { channelOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { ChannelFact } from "./facts.ts";
import type { Channels } from "./service.ts";
import { viewChannel } from "./view.ts";

export function serveChannels(channels: Channels): OperationsOf<typeof channelOperations, ChannelFact> {
  return {
    "notification_channels.list": {
      handle: ({ query }) => {
        const namePart = query.q === undefined ? undefined : nameKey(query.q);
        const { rows, next_cursor } = readList({
          operation: "notification_channels.list",
          query,
          whole: true,
          find: (page) => channels.list({ namePart }, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { notification_channels: rows.map(viewChannel), next_cursor };
      },
    },
    "notification_channels.create": { handle: (unit, { body }) => viewChannel(channels.create(unit, body)) },
    "notification_channels.get": { handle: ({ params }) => viewChannel(channels.get(params.id)) },
    "notification_channels.update": {
      handle: (unit, { params, body }) => viewChannel(channels.update(unit, params.id, body)),
    },
    "notification_channels.delete": { handle: (unit, { params }) => channels.remove(unit, params.id) },
    "notification_channels.enable": {
      handle: (unit, { params }) => viewChannel(channels.setEnabled(unit, params.id, true)),
    },
    "notification_channels.disable": {
      handle: (unit, { params }) => viewChannel(channels.setEnabled(unit, params.id, false)),
    },
    "notification_channels.rotate": {
      handle: (unit, { params, body }) => viewChannel(channels.rotate(unit, params.id, body)),
    },
  };
}
