import type { TriggerSet, TriggerSetSecrets } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";

function setState({ enabled_count, member_count }: TriggerSet): string {
  if (enabled_count === member_count) return "enabled";
  return enabled_count === 0 ? "disabled" : `${enabled_count} of ${member_count} enabled`;
}

export const triggerSetColumns: readonly Column<TriggerSet>[] = [
  { title: "NAME", text: (set) => set.name, isFlexible: true },
  { title: "TASK", text: (set) => set.target_task_name, isFlexible: true },
  { title: "MEMBERS", text: (set) => String(set.member_count), isNumber: true },
  { title: "STATE", text: setState, color: (set) => (set.enabled_count === 0 ? "dim" : "good") },
  { title: "ID", text: (set) => set.id, color: () => "dim" },
];

export function triggerSetDetails(set: TriggerSet): readonly Detail[] {
  return [
    ["Trigger Set", set.name],
    ["Id", set.id],
    ["Task", `${set.target_task_name} (${set.target_task_id})`],
    ["State", setState(set)],
    ["Changed", formatLocal(set.updated_at)],
  ];
}

type SetKey = TriggerSetSecrets["keys"][number];

/** A line a member; their commands are one and the same, for each reads its key. */
export function setSecretsColumns(set: TriggerSet): readonly Column<SetKey>[] {
  const names = new Map(set.members.map((member) => [member.id, member.name]));
  return [
    { title: "#", text: (key) => String(key.position), isNumber: true },
    { title: "NAME", text: (key) => names.get(key.trigger_id) ?? key.trigger_id },
    { title: "KEY", text: (key) => key.key },
  ];
}
