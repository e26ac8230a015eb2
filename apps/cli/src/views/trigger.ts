import type { Trigger, TriggerSecret } from "@belfry/client";
import type { NameOf, TaskRef } from "../find/task-names.ts";
import type { Detail } from "../output/details.ts";
import { quoteForShell, type Rewrite } from "../output/hints.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";

/** Whether firing the trigger starts a run, in one word. */
function triggerState(trigger: Trigger): string {
  if (!trigger.enabled) return "disabled";
  return trigger.readiness === "ready" ? "ready" : trigger.reason.replaceAll("_", " ");
}

function paintOfTrigger(trigger: Trigger): Paint {
  if (!trigger.enabled) return "dim";
  return trigger.readiness === "ready" ? "good" : "warn";
}

/** Columns for triggers of several tasks and sets. */
export function triggerColumns(nameOf: NameOf): readonly Column<Trigger>[] {
  const task: Column<Trigger> = { title: "TASK", text: (trigger) => nameOf(taskOf(trigger)), isFlexible: true };
  const set: Column<Trigger> = { title: "SET", text: (trigger) => trigger.set_name ?? "-", isFlexible: true };
  const [name, ...rest] = ownColumns;
  return [name, task, set, ...rest];
}

export function taskOf(item: { readonly target_task_id: string; readonly target_task_name: string }): TaskRef {
  return { id: item.target_task_id, name: item.target_task_name };
}

const ownColumns: readonly [Column<Trigger>, ...Column<Trigger>[]] = [
  { title: "NAME", text: (trigger) => trigger.name, isFlexible: true },
  { title: "STATE", text: triggerState, color: paintOfTrigger },
  { title: "FIRED", text: (trigger) => String(trigger.fire_count), isNumber: true },
  { title: "LAST FIRED", text: (trigger) => trigger.last_fired_at, isTime: true },
  { title: "ID", text: (trigger) => trigger.id, color: () => "dim" },
];

/** Columns for the triggers of one task. */
export const triggersOfTaskColumns: readonly Column<Trigger>[] = [
  { title: "TRIGGER", text: (trigger) => trigger.name, isFlexible: true },
  ...ownColumns.slice(1),
];

/** Columns for the members of one set. */
export const memberColumns: readonly Column<Trigger>[] = [
  { title: "#", text: (trigger) => String(trigger.set_position ?? "-"), isNumber: true },
  ...ownColumns,
];

export function triggerDetails(trigger: Trigger): readonly Detail[] {
  return [
    ["Trigger", trigger.name],
    ["ID", trigger.id],
    ["Set", trigger.set_name === undefined ? null : `${trigger.set_name}, member ${trigger.set_position}`],
    ["Task", `${trigger.target_task_name} (${trigger.target_task_id})`],
    ["State", triggerState(trigger)],
    ["Key", `${trigger.key_prefix}_…`],
    ["Fired", firedText(trigger)],
    ["Changed", formatLocal(trigger.updated_at)],
  ];
}

function firedText({ fire_count: count, last_fired_at: last }: Trigger): string {
  if (count === 0) return "never";
  return `${count === 1 ? "once" : `${count} times, last`} at ${formatLocal(last)}`;
}

/** The key and how to use it. `hint` makes a command the one that the user would type. */
export function secretText(
  { key, command }: Pick<TriggerSecret, "key" | "command">,
  { hint, fireSocket }: { readonly hint: Rewrite; readonly fireSocket: string | null },
): string {
  const own = hint(`Fire the trigger with \`${fireCommand(fireSocket)}\``);
  return `Key: ${key}\n${own}, or with curl if belfry is not installed:\n  ${command} < keyfile\n`;
}

/** The command that fires a trigger with a key in a file. The socket is that for other users; null while it is off. */
export function fireCommand(fireSocket: string | null): string {
  const socket = fireSocket === null ? "" : ` --socket ${quoteForShell(fireSocket)}`;
  return `belfry${socket} trigger fire < keyfile`;
}
