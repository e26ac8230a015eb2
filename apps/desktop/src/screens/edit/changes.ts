import type { Task, TaskPatch } from "@belfry/client";
import type { GroupName } from "../../data/groups.ts";
import { taskLabels } from "./task-fields.ts";

/**
 * What a patch changes, in a line each, by the names of the form. Values of the environment and of standard input are
 * left out.
 */
export function describeChanges(patch: TaskPatch, task: Task, groups: readonly GroupName[] = []): readonly string[] {
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
      const next = value === null ? null : (groups.find(({ id }) => id === value)?.name ?? value);
      return [`${taskLabels[name]}: ${quoted(task.group_name)} becomes ${quoted(next)}`];
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

function quoted(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value !== "object") return JSON.stringify(value).replaceAll(/^"|"$/g, "");
  if ("script" in value) return String(value.script);
  if ("program" in value) return [value.program, ...((value as { arguments?: string[] }).arguments ?? [])].join(" ");
  if (Array.isArray(value)) return value.join(", ");
  return Object.entries(value)
    .map(([name, member]) => `${name.replaceAll("_", " ")} ${String(member)}`)
    .join(", ");
}
