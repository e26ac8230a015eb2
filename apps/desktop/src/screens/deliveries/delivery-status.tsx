import type { NotificationDelivery } from "@belfry/client";
import type { ReactNode } from "react";
import { Status, type StatusKind } from "../../components/status.tsx";

export type DeliveryState = NotificationDelivery["state"];

/** How each state looks, and its word. */
export const deliveryStates: Readonly<Record<DeliveryState, readonly [StatusKind, string]>> = {
  pending: ["queued", "Waiting"],
  claimed: ["running", "Sending"],
  succeeded: ["success", "Delivered"],
  failed: ["failure", "Failed"],
};

export function DeliveryStatus({
  delivery: { state, diagnostic },
}: {
  readonly delivery: Pick<NotificationDelivery, "state" | "diagnostic">;
}): ReactNode {
  const [kind, word] = deliveryStates[state] ?? ["attention", state];
  return (
    <Status kind={kind} title={diagnostic ?? undefined}>
      {word}
    </Status>
  );
}
