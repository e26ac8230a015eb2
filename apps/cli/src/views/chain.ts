import type { Chain } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";

export const chainColumns: readonly Column<Chain>[] = [
  { title: "AFTER", text: (chain) => chain.source_task_name, isFlexible: true },
  { title: "ON", text: (chain) => chain.on_outcome },
  { title: "STARTS", text: (chain) => chain.target_task_name, isFlexible: true },
  { title: "DELAY", text: (chain) => (chain.delay === "0s" ? "-" : chain.delay), isNumber: true },
  {
    title: "STATE",
    text: (chain) => (chain.enabled ? "enabled" : "disabled"),
    color: (chain) => (chain.enabled ? "good" : "dim"),
  },
  { title: "ID", text: (chain) => chain.id, color: () => "dim" },
];

export function chainDetails(chain: Chain): readonly Detail[] {
  return [
    ["Chain", chain.id],
    ["After", chain.source_task_name],
    ["On", chain.on_outcome === "any" ? "any outcome: success or failure" : chain.on_outcome],
    ["Starts", chain.target_task_name],
    ["Delay", chain.delay === "0s" ? null : `${chain.delay} after that end`],
    ["State", chain.enabled ? "enabled" : "disabled: it starts nothing"],
    ["Changed", formatLocal(chain.updated_at)],
  ];
}

/** `"Load" → "Report" on success`. */
export function chainText(chain: Chain): string {
  const delay = chain.delay === "0s" ? "" : `, ${chain.delay} later`;
  return `${JSON.stringify(chain.source_task_name)} → ${JSON.stringify(chain.target_task_name)} on ${chain.on_outcome}${delay}`;
}
