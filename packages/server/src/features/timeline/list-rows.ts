import { invalid } from "../../kernel/errors/errors.ts";
import type { Page, PageStart } from "../../kernel/storage/page.ts";
import type { TaskRow } from "../tasks/index.ts";
import type { TimelineFilters, TimelineStore } from "./store.ts";

/** A task with the path of its group. */
export interface PlacedTask {
  readonly task: TaskRow;
  readonly groupPath: string | null;
}

/** Where the page before ended: later moves and deletions of its last task do not change it. */
export interface Passed {
  readonly groupId: string | null;
  readonly nameKey: string;
}

/** Writes the place of a task for a cursor, which has room for a number and for a text without points. */
export function writePassed({ groupId, nameKey }: Passed): PageStart {
  return { at: 0, id: `${groupId ?? ""}:${Buffer.from(nameKey).toString("base64url")}` };
}

export function readPassed({ id }: PageStart): Passed {
  const [groupId = "", name = ""] = id.split(":");
  return { groupId: groupId === "" ? null : groupId, nameKey: Buffer.from(name, "base64url").toString("utf8") };
}

interface Place {
  readonly id: string | null;
  readonly path: string | null;
  /** Sorts as the names of the groups do, from the outermost on. */
  readonly key: string;
  readonly ids: readonly string[];
}

export interface RowsOf {
  readonly filters: TimelineFilters;
  readonly taskIds: readonly string[] | null;
  /** With its subgroups. */
  readonly groupId: string | undefined;
}

/** Lists tasks by the paths of their groups and then by their names. A page begins after the task of its cursor. */
export function listRows(
  store: TimelineStore,
  { filters, taskIds, groupId }: RowsOf,
  { limit, after }: { readonly limit: Page["limit"]; readonly after: Passed | null },
): readonly PlacedTask[] {
  const places = listPlaces(store).filter(({ ids }) => groupId === undefined || ids.includes(groupId));
  const start = after === null ? 0 : places.findIndex(({ id }) => id === after.groupId);
  if (start === -1)
    throw invalid("cursor", "cursor names a group that is no longer there: start again without a cursor");
  if (taskIds !== null) return listChosen(store, { filters, taskIds, places, after }).slice(0, limit + 1);
  const rows: PlacedTask[] = [];
  for (const { id, path } of places.slice(start)) {
    const page = { after: after !== null && id === after.groupId ? after.nameKey : "", limit: limit + 1 - rows.length };
    for (const task of store.listTasksOf(id, filters, page)) rows.push({ task, groupPath: path });
    if (rows.length > limit) break;
  }
  return rows;
}

interface Chosen {
  readonly filters: TimelineFilters;
  readonly taskIds: readonly string[];
  readonly places: readonly Place[];
  readonly after: Passed | null;
}

function listChosen(store: TimelineStore, { filters, taskIds, places, after }: Chosen): readonly PlacedTask[] {
  const byId = new Map(places.map((place, index) => [place.id, { ...place, index }]));
  const found = store.listTasks(taskIds, filters).flatMap((task) => {
    const place = byId.get(task.groupId);
    return place === undefined ? [] : [{ task, groupPath: place.path, index: place.index }];
  });
  found.sort((one, other) => one.index - other.index || compare(one.task.nameKey, other.task.nameKey));
  if (after === null) return found;
  const passed = byId.get(after.groupId)!.index;
  return found.filter(
    ({ task, index }) => index > passed || (index === passed && compare(task.nameKey, after.nameKey) > 0),
  );
}

/** Every group in the order of the paths, after the place in no group. */
function listPlaces(store: TimelineStore): readonly Place[] {
  const groups = new Map(store.listGroups().map((group) => [group.id, group]));
  const known = new Map<string, Place>();
  const placeOf = (id: string): Place => {
    const seen = known.get(id);
    if (seen !== undefined) return seen;
    const { name, nameKey, parentId } = groups.get(id)!;
    const above = parentId === null ? null : placeOf(parentId);
    const place = {
      id,
      path: above === null ? name : `${above.path} / ${name}`,
      // a character below every other keeps a group directly before its subgroups
      key: above === null ? nameKey : `${above.key}\u0000${nameKey}`,
      ids: above === null ? [id] : [...above.ids, id],
    };
    known.set(id, place);
    return place;
  };
  const places = [...groups.keys()].map(placeOf);
  places.sort((one, other) => compare(one.key, other.key));
  return [{ id: null, path: null, key: "", ids: [] }, ...places];
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
