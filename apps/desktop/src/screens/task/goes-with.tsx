import type { Task } from "@belfry/client";
import type { ReactNode } from "react";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

const most = 100;

/** What goes with a task that is deleted, in numbers. */
export function GoesWith({ task }: { readonly task: Task }): ReactNode {
  const { client } = useSession();
  const read = useRead(
    ["goes-with", task.id],
    async (signal): Promise<readonly string[]> => {
      const [schedules, triggers, watchers, graph] = await Promise.all([
        client.schedules.list({ task_id: task.id, limit: most }, { signal }),
        client.triggers.list({ target_task_id: task.id, limit: most }, { signal }),
        client.watchers.list({ target_task_id: task.id, limit: most }, { signal }),
        client.chains.graph({ task_id: task.id }, { signal }),
      ]);
      return [
        counted(schedules.schedules.length, "schedule"),
        counted(triggers.triggers.length, "trigger"),
        counted(watchers.filesystem_watchers.length, "watcher"),
        counted(graph.chains.filter((chain) => isOf(chain, task.id)).length, "chain"),
      ].filter((text) => text !== null);
    },
    { kinds: ["schedule", "trigger", "filesystem_watcher", "chain"] },
  );
  return (
    <>
      <p>{read.data === null ? "Looking for what is deleted with it …" : sentenceOf(read.data)}</p>
      <p>Its runs stay in the history until they are too old. This cannot be undone.</p>
    </>
  );
}

function isOf(chain: { readonly source_task_id: string; readonly target_task_id: string }, taskId: string): boolean {
  return chain.source_task_id === taskId || chain.target_task_id === taskId;
}

function sentenceOf(parts: readonly string[]): string {
  if (parts.length === 0) return "The task has no schedule, trigger, watcher or chain.";
  const last = parts.at(-1)!;
  const isOne = parts.length === 1 && last.startsWith("1 ");
  const all = parts.length === 1 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
  return `${all} ${isOne ? "is" : "are"} deleted with the task.`;
}

function counted(count: number, one: string): string | null {
  if (count === 0) return null;
  if (count >= most) return `${most} ${one}s or more`;
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}
