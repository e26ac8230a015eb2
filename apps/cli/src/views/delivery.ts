import type { NotificationDelivery, NotificationRedelivery } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";

function paintOfDelivery({ state }: NotificationDelivery): Paint | null {
  if (state === "succeeded") return "good";
  if (state === "failed") return "bad";
  return state === "pending" ? "dim" : null;
}

function eventText({ payload }: NotificationDelivery): string {
  return payload.event === "test" ? "test" : `${payload.task.name}: ${payload.run.outcome}`;
}

export const deliveryColumns: readonly Column<NotificationDelivery>[] = [
  { title: "WHEN", text: (delivery) => delivery.created_at, isTime: true },
  { title: "CHANNEL", text: (delivery) => delivery.channel_name, isFlexible: true },
  { title: "EVENT", text: eventText, isFlexible: true },
  { title: "STATE", text: (delivery) => delivery.state, color: paintOfDelivery },
  { title: "ATTEMPTS", text: (delivery) => String(delivery.attempt_count), isNumber: true },
  { title: "STATUS", text: (delivery) => String(delivery.last_status ?? "-"), isNumber: true },
  { title: "ID", text: (delivery) => delivery.id, color: () => "dim" },
];

export function deliveryDetails(delivery: NotificationDelivery): readonly Detail[] {
  const at = (time: string | null): string | null => (time === null ? null : formatLocal(time));
  return [
    ["Delivery", delivery.id],
    ["Channel", `${delivery.channel_name} (${delivery.endpoint_summary})`],
    ["Event", eventText(delivery)],
    ["Run", delivery.run_id],
    ["Redelivery of", delivery.redelivery_of],
    ["State", delivery.state],
    ["Attempts", String(delivery.attempt_count)],
    ["Last status", delivery.last_status === null ? null : String(delivery.last_status)],
    ["Error", delivery.diagnostic],
    ["Queued", formatLocal(delivery.created_at)],
    ["Last attempt", at(delivery.claimed_at)],
    ["Next attempt", at(delivery.next_attempt_at)],
    ["Finished", at(delivery.ended_at)],
  ];
}

const leftOutTexts: Readonly<Record<NotificationRedelivery["left_out"][number]["reason"], string>> = {
  already_redelivered: "already resent",
  channel_disabled: "the channel is disabled",
  channel_deleted: "the channel was deleted",
  channel_unreadable: "the channel's secrets cannot be read; see the daemon's log",
};

/** Which deliveries were resent, and which were not and why. */
export function redeliveryText(redelivery: NotificationRedelivery): string {
  const { since, channel_id, deliveries, left_out: leftOut } = redelivery;
  if (deliveries.length === 0 && leftOut.length === 0)
    return `No deliveries${channel_id === null ? "" : " to this channel"} have failed since ${formatLocal(since)}`;
  const count = deliveries.length;
  const queued =
    count === 0 ? "Nothing to resend" : `Queued ${count} ${count === 1 ? "delivery" : "deliveries"} to resend`;
  const rest = leftOut.map(
    (group) =>
      `Skipped ${group.count} ${group.count === 1 ? "delivery" : "deliveries"} to ${JSON.stringify(group.channel_name)}: ${leftOutTexts[group.reason]}`,
  );
  return [queued, ...rest].join("\n");
}
