import type { Chain } from "@belfry/client";
import { type NameOf, plainName, type TaskRef } from "../find/task-names.ts";
import type { Detail } from "../output/details.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";

export function sourceOf(chain: Pick<Chain, "source_task_id" | "source_task_name">): TaskRef {
  return { id: chain.source_task_id, name: chain.source_task_name };
}

export function targetOf(chain: Chain): TaskRef {
  return { id: chain.target_task_id, name: chain.target_task_name };
}

/** The source and target tasks of these chains. */
export function tasksIn(chains: readonly Chain[]): readonly TaskRef[] {
  return chains.flatMap((chain) => [sourceOf(chain), targetOf(chain)]);
}

export function chainColumns(nameOf: NameOf): readonly Column<Chain>[] {
  return [
    { title: "AFTER", text: (chain) => nameOf(sourceOf(chain)), isFlexible: true },
    { title: "ON", text: (chain) => chain.on_outcome },
    { title: "STARTS", text: (chain) => nameOf(targetOf(chain)), isFlexible: true },
    { title: "DELAY", text: (chain) => (chain.delay === "0s" ? "-" : chain.delay), isNumber: true },
    {
      title: "STATE",
      text: (chain) => (chain.enabled ? "enabled" : "disabled"),
      color: (chain) => (chain.enabled ? "good" : "dim"),
    },
    { title: "ID", text: (chain) => chain.id, color: () => "dim" },
  ];
}

export function chainDetails(chain: Chain, nameOf: NameOf): readonly Detail[] {
  return [
    ["Chain", chain.id],
    ["After", nameOf(sourceOf(chain))],
    ["On", chain.on_outcome === "any" ? "any outcome: success or failure" : chain.on_outcome],
    ["Starts", nameOf(targetOf(chain))],
    ["Delay", chain.delay === "0s" ? null : `${chain.delay} after the source finishes`],
    ["State", chain.enabled ? "enabled" : "disabled: the chain does not start its target"],
    ["Changed", formatLocal(chain.updated_at)],
  ];
}

/** `"Load" → "Report" on success`. */
export function chainText(chain: Chain, nameOf: NameOf = plainName): string {
  const delay = chain.delay === "0s" ? "" : `, ${chain.delay} later`;
  return `${JSON.stringify(nameOf(sourceOf(chain)))} → ${JSON.stringify(nameOf(targetOf(chain)))} on ${chain.on_outcome}${delay}`;
}
