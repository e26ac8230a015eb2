import type { Task } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { gather } from "../gather.ts";
import { timingText } from "./schedule.ts";

const namedMax = 5;

/** What was deleted with a task, and what is left without one, as a hint; null if nothing. */
export async function deletedWith(client: AnyClient, { id }: Task): Promise<string | null> {
  const [schedules, triggers, watchers, { chains }] = await Promise.all([
    gather(client.schedules.list({ task_id: id })),
    gather(client.triggers.list({ target_task_id: id })),
    gather(client.watchers.list({ target_task_id: id })),
    client.chains.graph({ task_id: id }),
  ]);
  const sources = chains.filter((chain) => chain.target_task_id === id);
  const targets = chains.filter((chain) => chain.source_task_id === id);
  const deleted = [
    named("schedule", schedules.map(timingText)),
    named("chain from task", quote(sources.map((chain) => chain.source_task_name))),
    named("chain to task", quote(targets.map((chain) => chain.target_task_name))),
  ].filter((text) => text !== null);
  const left = [
    named("trigger", quote(triggers.map(({ name }) => name))),
    named("watcher", quote(watchers.map(({ name }) => name))),
  ].filter((text) => text !== null);
  const edits = [
    ...(triggers.length === 0 ? [] : ["belfry trigger edit"]),
    ...(watchers.length === 0 ? [] : ["belfry watcher edit"]),
  ];
  const sentences = [
    ...(deleted.length === 0 ? [] : [`Deleted with it: ${deleted.join("; ")}`]),
    ...(left.length === 0
      ? []
      : [`Left without a task: ${left.join("; ")}. Choose another task with: ${edits.join(", or: ")}`]),
  ];
  return sentences.length === 0 ? null : sentences.join(". ");
}

function quote(names: readonly string[]): readonly string[] {
  return names.map((name) => JSON.stringify(name));
}

/** `schedule 0 3 * * *` or `schedules every 5m, at boot and 2 more`; null for none. */
function named(noun: string, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const more = names.length - namedMax;
  const plural = noun.startsWith("chain") ? noun.replace("chain", "chains") : `${noun}s`;
  return `${names.length === 1 ? noun : plural} ${names.slice(0, namedMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
