import type { Hints } from "../../kernel/module.ts";
import type { DeliveryFact } from "./facts.ts";
import type { Deliveries } from "./service.ts";

export function deliveryHints(deliveries: Deliveries): Hints<DeliveryFact> {
  const hint =
    (verb: "created" | "updated" | "deleted") =>
    ({ deliveryId: id, channelId: channel_id }: { readonly deliveryId: string; readonly channelId: string }) => {
      const row = deliveries.find(id);
      const now = row === undefined ? {} : { state: row.state, attempt_count: row.attemptCount };
      return { kind: "notification_delivery", verb, id, channel_id, ...now } as const;
    };
  return {
    kind: "notification_delivery",
    of: {
      "delivery.queued": hint("created"),
      "delivery.updated": hint("updated"),
      "delivery.ended": hint("updated"),
      "delivery.deleted": hint("deleted"),
    },
  };
}
