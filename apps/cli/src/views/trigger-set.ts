import type { TriggerSet, TriggerSetSecrets } from "@belfry/client";
import type { NameOf } from "../find/task-names.ts";
import type { Output } from "../output/output.ts";
import type { Detail } from "../output/details.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";
import { fireCommand, taskOf } from "./trigger.ts";

/** How many members are enabled, and why they cannot start a run. */
function setState(set: TriggerSet): string {
  const { enabled_count, member_count } = set;
  if (enabled_count === 0) return "disabled";
  const count = enabled_count === member_count ? "enabled" : `${enabled_count} of ${member_count} enabled`;
  const reason = notReadyReason(set);
  return reason === null ? count : `${count}, ${reason.replaceAll("_", " ")}`;
}

/** All members share their task, and therefore the reason. */
function notReadyReason({ members }: TriggerSet): string | null {
  return members.find(({ enabled, readiness }) => enabled && readiness !== "ready")?.reason ?? null;
}

function paintOfSet(set: TriggerSet): Paint {
  if (set.enabled_count === 0) return "dim";
  return notReadyReason(set) === null ? "good" : "warn";
}

export function triggerSetColumns(nameOf: NameOf): readonly Column<TriggerSet>[] {
  return [
    { title: "NAME", text: (set) => set.name, isFlexible: true },
    { title: "TASK", text: (set) => nameOf(taskOf(set)), isFlexible: true },
    { title: "MEMBERS", text: (set) => String(set.member_count), isNumber: true },
    { title: "STATE", text: setState, color: paintOfSet },
    { title: "ID", text: (set) => set.id, color: () => "dim" },
  ];
}

export function triggerSetDetails(set: TriggerSet): readonly Detail[] {
  return [
    ["Trigger set", set.name],
    ["ID", set.id],
    ["Task", `${set.target_task_name} (${set.target_task_id})`],
    ["State", setState(set)],
    ["Changed", formatLocal(set.updated_at)],
  ];
}

type SetKey = TriggerSetSecrets["keys"][number];

/** The keys, and how to use them. The commands are left out: they are all the same. */
export function setSecretsText(
  { trigger_set: set, keys }: TriggerSetSecrets,
  { fireSocket, out }: { readonly fireSocket: string | null; readonly out: Pick<Output, "hint" | "table"> },
): string {
  return `${out.table(setSecretsColumns(set), keys)}\n${out.hint(`Fire a trigger with \`${fireCommand(fireSocket)}\``)}\n`;
}

/** One line per member. */
function setSecretsColumns(set: TriggerSet): readonly Column<SetKey>[] {
  const names = new Map(set.members.map((member) => [member.id, member.name]));
  return [
    { title: "#", text: (key) => String(key.position), isNumber: true },
    { title: "NAME", text: (key) => names.get(key.trigger_id) ?? key.trigger_id },
    { title: "KEY", text: (key) => key.key },
  ];
}
