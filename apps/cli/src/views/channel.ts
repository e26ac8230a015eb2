import type { NotificationChannel } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";

export const channelColumns: readonly Column<NotificationChannel>[] = [
  { title: "NAME", text: (channel) => channel.name, isFlexible: true },
  { title: "ENDPOINT", text: (channel) => channel.endpoint_summary, isFlexible: true },
  { title: "STATE", text: stateOf, color: (channel) => paints[stateOf(channel)] },
  { title: "FAILED", text: (channel) => String(channel.consecutive_failures), isNumber: true },
  { title: "FAILING SINCE", text: (channel) => channel.failing_since, isTime: true },
  { title: "SECRETS", text: secretsText, isSpare: true },
  { title: "ID", text: (channel) => channel.id, color: () => "dim" },
];

export function channelDetails(channel: NotificationChannel): readonly Detail[] {
  return [
    ["Channel", channel.name],
    ["ID", channel.id],
    ["Endpoint", channel.endpoint_summary],
    ["State", channel.enabled ? "enabled" : "disabled: no new deliveries are queued"],
    ["Failing", channel.failing_since === null ? null : failuresText(channel)],
    ["Secrets", secretsText(channel)],
    ["Changed", formatLocal(channel.updated_at)],
  ];
}

/** `3 failed deliveries since ...` */
export function failuresText({ consecutive_failures: count, failing_since: since }: NotificationChannel): string {
  return `${count} failed ${count === 1 ? "delivery" : "deliveries"} since ${formatLocal(since)}`;
}

const paints = { enabled: "good", disabled: "dim", failing: "bad" } as const;

function stateOf({ enabled, failing_since: since }: NotificationChannel): keyof typeof paints {
  if (!enabled) return "disabled";
  return since === null ? "enabled" : "failing";
}

function secretsText(channel: NotificationChannel): string {
  const names = [
    ...(channel.has_authorization ? ["authorization"] : []),
    ...(channel.has_signing_secret ? ["signing secret"] : []),
  ];
  return names.length === 0 ? "-" : names.join(", ");
}
