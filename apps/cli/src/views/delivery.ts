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

function what({ payload }: NotificationDelivery): string {
  return payload.event === "test" ? "test" : `${payload.task.name}: ${payload.run.outcome}`;
}

export const deliveryColumns: readonly Column<NotificationDelivery>[] = [
  { title: "WHEN", text: (delivery) => delivery.created_at, isTime: true },
  { title: "CHANNEL", text: (delivery) => delivery.channel_name, isFlexible: true },
  { title: "WHAT", text: what, isFlexible: true },
  { title: "STATE", text: (delivery) => delivery.state, color: paintOfDelivery },
  { title: "TRIES", text: (delivery) => String(delivery.attempt_count), isNumber: true },
  { title: "STATUS", text: (delivery) => String(delivery.last_status ?? "-"), isNumber: true },
  { title: "ID", text: (delivery) => delivery.id, color: () => "dim" },
];

export function deliveryDetails(delivery: NotificationDelivery): readonly Detail[] {
  const at = (time: string | null): string | null => (time === null ? null : formatLocal(time));
  return [
    ["Delivery", delivery.id],
    ["Channel", `${delivery.channel_name} (${delivery.endpoint_summary})`],
    ["What", what(delivery)],
    ["Run", delivery.run_id],
    ["Repeats", delivery.redelivery_of],
    ["State", delivery.state],
    ["Attempts", String(delivery.attempt_count)],
    ["Last status", delivery.last_status === null ? null : String(delivery.last_status)],
    ["Why", delivery.diagnostic],
    ["Queued", formatLocal(delivery.created_at)],
    ["Last tried", at(delivery.claimed_at)],
    ["Next try", at(delivery.next_attempt_at)],
    ["Ended", at(delivery.ended_at)],
  ];
}

const leftOutTexts: Readonly<Record<NotificationRedelivery["left_out"][number]["reason"], string>> = {
  already_redelivered: "redelivered before",
  channel_disabled: "the channel is disabled",
  channel_deleted: "the channel was deleted",
  channel_unreadable: "the channel's secrets cannot be read; see the daemon's log",
};

/** What went out again, and what did not and why. */
export function redeliveryText({ since, deliveries, left_out: leftOut }: NotificationRedelivery): string {
  if (deliveries.length === 0 && leftOut.length === 0) return `No delivery has failed since ${formatLocal(since)}`;
  const count = deliveries.length;
  const queued =
    count === 0 ? "Nothing to redeliver" : `Queued ${count} ${count === 1 ? "delivery" : "deliveries"} again`;
  const rest = leftOut.map(
    (group) => `Left out ${group.count} to ${JSON.stringify(group.channel_name)}: ${leftOutTexts[group.reason]}`,
  );
  return [queued, ...rest].join("\n");
}
