import type { Task, TaskPatch } from "@belfry/client";

/** What a patch changes, in a line each. Values of the environment and of standard input are left out. */
export function describeChanges(patch: TaskPatch, task: Task): readonly string[] {
  return Object.entries(patch).flatMap(([name, value]) => {
    if (name === "environment")
      return Object.entries(value as Record<string, string | null>).map(([variable, text]) =>
        text === null ? `environment: ${variable} is removed` : `environment: ${variable} gets a new value`,
      );
    if (name === "standard_input") return [value === null ? "standard input is removed" : "standard input is replaced"];
    if (name === "labels")
      return Object.entries(value as Record<string, string | null>).map(([label, text]) =>
        text === null ? `labels: ${label} is removed` : `labels: ${label} becomes ${quoted(text)}`,
      );
    const former = (task as unknown as Record<string, unknown>)[name];
    return [`${name.replaceAll("_", " ")}: ${quoted(former)} becomes ${quoted(value)}`];
  });
}

function quoted(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value !== "object") return JSON.stringify(value).replaceAll(/^"|"$/g, "");
  if ("script" in value) return String(value.script);
  if ("program" in value) return [value.program, ...((value as { arguments?: string[] }).arguments ?? [])].join(" ");
  return Object.entries(value)
    .map(([name, member]) => `${name.replaceAll("_", " ")} ${String(member)}`)
    .join(", ");
}
