import { foldName } from "@belfry/contract";
import type { AnyClient } from "../any-client.ts";
import { actorKind } from "../find/actor.ts";
import { channelKind } from "../find/channel.ts";
import { findableBy, type Named, type ResourceKind } from "../find/find.ts";
import { groupKind } from "../find/group.ts";
import { scheduleKind } from "../find/schedule.ts";
import { taskKind } from "../find/task.ts";
import { triggerSetKind } from "../find/trigger-set.ts";
import { triggerKind } from "../find/trigger.ts";
import { watcherKind } from "../find/watcher.ts";
import { gather } from "../gather.ts";

/** What the word that is typed can become. */
export interface Candidate {
  readonly word: string;
  /** What may be typed instead of the beginning of the word: the name at the end of a path. */
  readonly name?: string;
}

type Lister = (client: AnyClient, typed: string) => Promise<readonly Candidate[]>;

const tasks: Lister = (client, typed) => listAll(taskKind(client), typed);

/** How to list what an argument or an option takes, by what its help calls it. */
const listers: Readonly<Record<string, Lister>> = {
  task: tasks,
  target: tasks,
  chain: tasks,
  run: tasks,
  group: (client, typed) => listAll(groupKind(client), typed),
  schedule: listSchedules,
  trigger: (client, typed) => listAll(triggerKind(client), typed),
  set: (client, typed) => listAll(triggerSetKind(client), typed),
  watcher: (client, typed) => listAll(watcherKind(client), typed),
  channel: (client, typed) => listAll(channelKind(client), typed),
  actor: (client, typed) => listAll(actorKind(client), typed),
};

/** Lists the names and paths that find one resource each. */
export async function listNames(
  kind: string,
  { typed, connect }: { readonly typed: string; readonly connect: () => Promise<AnyClient> },
): Promise<readonly Candidate[]> {
  const list = Object.hasOwn(listers, kind) ? listers[kind] : undefined;
  if (list === undefined) return [];
  const found = new Map((await list(await connect(), typed)).map((candidate) => [candidate.word, candidate]));
  return [...found.values()].toSorted((one, other) => one.word.localeCompare(other.word));
}

async function listAll<T extends Named>(kind: ResourceKind<T>, typed: string): Promise<readonly Candidate[]> {
  const items = await gather(kind.search(null));
  return items.flatMap(candidatesOf(items, kind, typed));
}

/** A schedule is also found by its task, if that has no other one and no schedule has its name. */
async function listSchedules(client: AnyClient, typed: string): Promise<readonly Candidate[]> {
  const kind = scheduleKind(client);
  const [schedules, all] = await Promise.all([gather(kind.search(null)), gather(taskKind(client).search(null))]);
  const counts = new Map<string, number>();
  for (const { task_id } of schedules) counts.set(task_id, (counts.get(task_id) ?? 0) + 1);
  const taken = new Set(schedules.flatMap((schedule) => [schedule.name, kind.pathOf(schedule)]).map(foldName));
  const single = all.filter(({ id }) => counts.get(id) === 1);
  const byTask = single.flatMap(candidatesOf(all, taskKind(client), typed));
  return [
    ...schedules.flatMap(candidatesOf(schedules, kind, typed)),
    ...byTask.filter(({ word }) => !taken.has(foldName(word))),
  ];
}

/** Offers the name of an item, or its path: if others have the same name, or if a path is typed. */
function candidatesOf<T extends Named>(
  all: readonly T[],
  { pathOf }: ResourceKind<T>,
  typed: string,
): (item: T) => readonly Candidate[] {
  const wordsOf = findableBy(all, pathOf);
  return (item) => {
    const words = wordsOf(item);
    if (!words.includes(item.name)) return words.map((word) => ({ word, name: item.name }));
    return words.filter((word) => word === item.name || typed.includes("/")).map((word) => ({ word }));
  };
}
