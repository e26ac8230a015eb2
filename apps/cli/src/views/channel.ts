import type { NotificationChannel } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";

export const channelColumns: readonly Column<NotificationChannel>[] = [
  { title: "NAME", text: (channel) => channel.name, isFlexible: true },
  { title: "LEADS TO", text: (channel) => channel.endpoint_summary, isFlexible: true },
  {
    title: "STATE",
    text: (channel) => (channel.enabled ? "enabled" : "disabled"),
    color: (channel) => (channel.enabled ? "good" : "dim"),
  },
  { title: "SECRETS", text: secretsText },
  { title: "ID", text: (channel) => channel.id, color: () => "dim" },
];

export function channelDetails(channel: NotificationChannel): readonly Detail[] {
  return [
    ["Channel", channel.name],
    ["Id", channel.id],
    ["Leads to", channel.endpoint_summary],
    ["State", channel.enabled ? "enabled" : "disabled: it gets nothing new"],
    ["Secrets", secretsText(channel)],
    ["Changed", formatLocal(channel.updated_at)],
  ];
}

function secretsText(channel: NotificationChannel): string {
  const names = [
    ...(channel.has_authorization ? ["authorization"] : []),
    ...(channel.has_signing_secret ? ["signing secret"] : []),
  ];
  return names.length === 0 ? "-" : names.join(", ");
}
