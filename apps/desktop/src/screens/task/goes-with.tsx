import type { ChainGraph } from "@belfry/client";
import type { ReactNode } from "react";
import { Problem } from "../../components/states.tsx";
import { countNames, joinWithVerb } from "../../data/count-names.ts";
import { type Read, useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

const most = 100;

/** What goes with a task that is deleted, and what stays without it. */
export function useRelated(taskId: string, isWanted: boolean): Read<Related> {
  const { client } = useSession();
  return useRead(
    ["goes-with", taskId],
    async (signal): Promise<Related> => {
      const [schedules, triggers, watchers, graph] = await Promise.all([
        client.schedules.list({ task_id: taskId, limit: most }, { signal }),
        client.triggers.list({ target_task_id: taskId, limit: most }, { signal }),
        client.watchers.list({ target_task_id: taskId, limit: most }, { signal }),
        client.chains.graph({ task_id: taskId }, { signal }),
      ]);
      return {
        deleted: [
          counted(schedules.schedules, schedules.next_cursor, "schedule"),
          countNames(chainNames(graph, taskId), "chain"),
        ].filter((text) => text !== null),
        kept: [
          counted(triggers.triggers, triggers.next_cursor, "trigger"),
          counted(watchers.filesystem_watchers, watchers.next_cursor, "watcher"),
        ].filter((text) => text !== null),
      };
    },
    { kinds: ["schedule", "trigger", "filesystem_watcher", "chain"], isWanted },
  );
}

/** The same by name and number. */
export function GoesWith({ related: { data, error, again } }: { readonly related: Read<Related> }): ReactNode {
  if (data === null)
    return error === null ? <p>Looking for what is deleted with it …</p> : <Problem error={error} again={again} />;
  return (
    <>
      <p>{deletedText(data.deleted)}</p>
      {data.kept.length > 0 && <p>{keptText(data.kept)}</p>}
      <p>Its runs stay in the history until they are too old. This cannot be undone.</p>
    </>
  );
}

export interface Related {
  readonly deleted: readonly string[];
  /** Triggers and watchers outlive their task. */
  readonly kept: readonly string[];
}

function counted(
  found: readonly { readonly name: string }[],
  next: string | null,
  one: "schedule" | "trigger" | "watcher",
): string | null {
  return countNames(
    found.map(({ name }) => name),
    one,
    next !== null,
  );
}

/** `after Load` and `before Report`. */
function chainNames({ chains }: ChainGraph, taskId: string): readonly string[] {
  return chains.flatMap((chain) => [
    ...(chain.source_task_id === taskId ? [`starts ${chain.target_task_name}`] : []),
    ...(chain.target_task_id === taskId ? [`after ${chain.source_task_name}`] : []),
  ]);
}

function deletedText(parts: readonly string[]): string {
  if (parts.length === 0) return "The task has no schedule or chain.";
  return `${joinWithVerb(parts, ["is", "are"])} deleted with the task.`;
}

function keptText(parts: readonly string[]): string {
  const verbs = ["stays and starts nothing until it gets", "stay and start nothing until they get"] as const;
  return `${joinWithVerb(parts, verbs)} another task.`;
}
