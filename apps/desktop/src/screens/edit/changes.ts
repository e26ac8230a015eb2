import type { Group, Task, TaskPatch } from "@belfry/client";
import { groupPath } from "../tasks/group-path.ts";
import { commandLine } from "./argument-lines.ts";
import { formOf, membersOf, taskLabels } from "./task-fields.ts";

/**
 * A task by the labels of its form. Of the environment there are only the names, and of standard input only whether there
 * is any.
 */
export function describeDefinition(task: Task, groups: readonly Group[]): Readonly<Record<string, string>> {
  const members: Record<string, unknown> = {
    ...membersOf(formOf(task)),
    group_id: groupOf(task, groups),
    environment: task.environment_names,
    standard_input: task.has_standard_input ? "given" : null,
  };
  const valueOf = (path: string): unknown => {
    const [name, member] = path.split(".") as [string, string | undefined];
    return member === undefined ? members[name] : (members[name] as Record<string, unknown>)[member];
  };
  return Object.fromEntries(Object.entries(taskLabels).map(([path, label]) => [label, quoted(valueOf(path))]));
}

/**
 * What a patch changes, in a line each, by the names of the form. Values of the environment and of standard input are
 * left out.
 */
export function describeChanges(patch: TaskPatch, task: Task, groups: readonly Group[] = []): readonly string[] {
  return Object.entries(patch).flatMap(([name, value]) => {
    if (name === "environment")
      return Object.entries(value as Record<string, string | null>).map(([variable, text]) =>
        text === null ? `Environment: ${variable} is removed` : `Environment: ${variable} gets a new value`,
      );
    if (name === "standard_input") return [value === null ? "Standard input is removed" : "Standard input is replaced"];
    if (name === "labels")
      return Object.entries(value as Record<string, string | null>).map(([label, text]) =>
        text === null ? `Labels: ${label} is removed` : `Labels: ${label} becomes ${quoted(text)}`,
      );
    if (name === "group_id") {
      const next = value === null ? null : groupPath(value as string, groups) || value;
      return [`${taskLabels[name]}: ${quoted(groupOf(task, groups))} becomes ${quoted(next)}`];
    }
    const former = (task as unknown as Record<string, unknown>)[name];
    const own = taskLabels[name];
    if (own !== undefined) return [`${own}: ${quoted(former)} becomes ${quoted(value)}`];
    // a member with fields of its own: those that differ
    return Object.entries(value as Record<string, unknown>).flatMap(([member, next]) => {
      const before = (former as Record<string, unknown> | undefined)?.[member];
      const label = taskLabels[`${name}.${member}`] ?? member.replaceAll("_", " ");
      return JSON.stringify(before) === JSON.stringify(next)
        ? []
        : [`${label}: ${quoted(before)} becomes ${quoted(next)}`];
    });
  });
}

function groupOf({ group_id: id, group_name: name }: Task, groups: readonly Group[]): string | null {
  return id === null ? null : groupPath(id, groups) || name;
}

function quoted(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value !== "object") return JSON.stringify(value).replaceAll(/^"|"$/g, "");
  if ("script" in value) return String(value.script);
  if ("program" in value)
    return commandLine([value.program as string, ...((value as { arguments?: string[] }).arguments ?? [])]);
  if (Array.isArray(value)) return value.join(", ") || "nothing";
  if (Object.keys(value).length === 0) return "nothing";
  return Object.entries(value)
    .map(([name, member]) => `${name.replaceAll("_", " ")} ${String(member)}`)
    .join(", ");
}
