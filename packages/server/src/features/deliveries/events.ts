import type { ModuleEvents } from "../../kernel/module.ts";
import type { DeliveryFact } from "./facts.ts";
import type { Deliveries } from "./service.ts";

export function deliveryEvents(deliveries: Deliveries): ModuleEvents<DeliveryFact> {
  const event =
    (verb: "created" | "updated" | "deleted") =>
    ({ deliveryId: id, channelId: channel_id }: { readonly deliveryId: string; readonly channelId: string }) => {
      const row = deliveries.find(id);
      const now = row === undefined ? {} : { state: row.state, attempt_count: row.attemptCount };
      return { kind: "notification_delivery", verb, id, channel_id, ...now } as const;
    };
  return {
    kind: "notification_delivery",
    of: {
      "delivery.queued": event("created"),
      "delivery.updated": event("updated"),
      "delivery.ended": event("updated"),
      "delivery.deleted": event("deleted"),
    },
  };
}
