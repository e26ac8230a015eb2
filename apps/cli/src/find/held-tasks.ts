import type { Hold } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { gather } from "../gather.ts";
import { formatLocal } from "../output/time.ts";

/** When the tasks of a group are released; `null` if only a person releases them, `undefined` if they are not held. */
export type ReleaseOf = (groupId: string | null) => string | null | undefined;

/** Reads until when the tasks of each group are held: until the last hold on it, or on a group around it, has ended. */
export async function readReleases(client: AnyClient, holds: readonly Hold[]): Promise<ReleaseOf> {
  if (holds.length === 0) return () => undefined;
  const parents = new Map((await gather(client.groups.list())).map(({ id, parent_id: parent }) => [id, parent]));
  return (groupId) => {
    const around = new Set<string | null>([null]);
    for (let id: string | null = groupId; id !== null && !around.has(id); id = parents.get(id) ?? null) around.add(id);
    const ends = holds.filter(({ group_id }) => around.has(group_id)).map(({ until }) => until);
    if (ends.includes(null)) return null;
    return ends.reduce<string | undefined>((last, end) => (last === undefined || end! > last ? end! : last), undefined);
  };
}

/** `skipped while held, until …` for a run that is due at that time, which may still be held; null if it is not. */
export type SkippedText = (run: { readonly task_id: string; readonly due_at: string }) => string | null;

export async function readSkipped(client: AnyClient, holds: readonly Hold[]): Promise<SkippedText> {
  if (holds.length === 0) return () => null;
  const [releaseOf, tasks] = await Promise.all([
    readReleases(client, holds),
    gather(client.tasks.list({ limit: 1000 })),
  ]);
  const groups = new Map(tasks.map(({ id, group_id }) => [id, group_id]));
  return ({ task_id, due_at }) => {
    const release = releaseOf(groups.get(task_id) ?? null);
    return isSkipped(due_at, release) ? skippedText(release) : null;
  };
}

/** A run that is due exactly at the end of a hold is still skipped. */
export function isSkipped(dueAt: string, release: string | null | undefined): boolean {
  return release === null || (release !== undefined && dueAt <= release);
}

export function skippedText(release: string | null | undefined): string {
  return `skipped while held${typeof release === "string" ? `, until ${formatLocal(release)}` : ""}`;
}
