import type { TriggerSet, TriggerSetSecrets } from "@belfry/client";
import type { NameOf } from "../find/task-names.ts";
import type { Detail } from "../output/details.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";
import { taskOf } from "./trigger.ts";

/** How many are enabled, and what keeps those from running something. */
function setState(set: TriggerSet): string {
  const { enabled_count, member_count } = set;
  if (enabled_count === 0) return "disabled";
  const count = enabled_count === member_count ? "enabled" : `${enabled_count} of ${member_count} enabled`;
  const obstacle = obstacleOf(set);
  return obstacle === null ? count : `${count}, ${obstacle.replaceAll("_", " ")}`;
}

/** The members share their task, and so what keeps it from running. */
function obstacleOf({ members }: TriggerSet): string | null {
  return members.find(({ enabled, readiness }) => enabled && readiness !== "ready")?.reason ?? null;
}

function paintOfSet(set: TriggerSet): Paint {
  if (set.enabled_count === 0) return "dim";
  return obstacleOf(set) === null ? "good" : "warn";
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
