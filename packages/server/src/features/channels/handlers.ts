import type { channelOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { HandlersOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { ChannelFact } from "./facts.ts";
import type { Channels } from "./service.ts";
import { viewChannel } from "./view.ts";

type Handlers = Omit<HandlersOf<typeof channelOperations, ChannelFact>, "notification_channels.test">;

/** All but the sending of a test, which makes a delivery. */
export function createChannelHandlers(channels: Channels): Handlers {
  return {
    "notification_channels.list": ({ query }) => {
      const part = query.q === undefined ? undefined : nameKey(query.q);
      const { rows, next_cursor } = readList({
        operation: "notification_channels.list",
        query,
        whole: true,
        find: (page) => channels.list({ part }, page),
        startOf: (row) => ({ at: row.createdAt, id: row.id }),
      });
      return { notification_channels: rows.map(viewChannel), next_cursor };
    },
    "notification_channels.create": (unit, { body }) => viewChannel(channels.create(unit, body)),
    "notification_channels.get": ({ params }) => viewChannel(channels.get(params.id)),
    "notification_channels.update": (unit, { params, body }) => viewChannel(channels.update(unit, params.id, body)),
    "notification_channels.delete": (unit, { params }) => channels.remove(unit, params.id),
    "notification_channels.enable": (unit, { params }) => viewChannel(channels.setEnabled(unit, params.id, true)),
    "notification_channels.disable": (unit, { params }) => viewChannel(channels.setEnabled(unit, params.id, false)),
    "notification_channels.rotate": (unit, { params, body }) => viewChannel(channels.rotate(unit, params.id, body)),
  };
}
