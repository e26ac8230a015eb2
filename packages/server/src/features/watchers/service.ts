import type {
  FilesystemWatcher,
  FilesystemWatcherCreate,
  FilesystemWatcherPatch,
  HoldCause,
  Viewer,
} from "@belfry/contract";
import { notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { requireFreeName } from "../../kernel/names.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { type FindTarget, findTargets, type TaskDeleted, type Tasks } from "../tasks/index.ts";
import { createdDefinition, patchedDefinition } from "./definition.ts";
import type { WatcherFact } from "./facts.ts";
import type { ObservationOf } from "./observation.ts";
import type { RequireOutsideData } from "./path-rules.ts";
import type { WatcherFilters, WatcherStore } from "./store.ts";
import { watcherMembers, type WatcherRow } from "./table.ts";
import { viewWatcher } from "./view.ts";

export interface WatcherDeps {
  readonly store: WatcherStore;
  readonly tasks: Tasks;
  readonly requireOutsideData: RequireOutsideData;
  readonly observationOf: ObservationOf;
}

export type Watchers = ReturnType<typeof createWatchers>;

/** Members whose change begins another observation. */
const observed = ["kind", "path", "pattern", "recursive", "enabled"];

export function createWatchers({ store, tasks, requireOutsideData, observationOf }: WatcherDeps) {
  const get = (id: string): WatcherRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("filesystem watcher", id);
    return row;
  };
  const freeName = (name: string, id: string | null) =>
    requireFreeName(name, { kind: "a filesystem watcher", find: store.findByName }, { id });
  const { changesOf, reviseNamed } = createRevise<WatcherRow, WatcherFact>({
    members: watcherMembers,
    update: ({ id }, columns) => store.update(id, columns),
    fact: ({ id: watcherId }, changed) => ({ name: "watcher.updated", watcherId, changed }),
  });
  const revise = (unit: Unit<WatcherFact>, row: WatcherRow, change: Partial<WatcherRow>): WatcherRow => {
    const changed = changesOf(row, change);
    const isObservedAnew = changed.some((member) => observed.includes(member));
    const observation = isObservedAnew ? { observation: row.observation + 1, observedFrom: unit.now } : {};
    return reviseNamed(unit, row, { change: { ...change, ...observation }, changed });
  };

  /** Begins every observation again: files that exist now are known, because the original has handled them. */
  const beginAnew = (unit: Unit): void => {
    for (const { id, observation } of store.listAll())
      store.update(id, { observation: observation + 1, observedFrom: unit.now });
  };

  return {
    get,
    find: store.find,
    list: (filters: WatcherFilters, page: Page) => store.list(filters, page),

    view: (row: WatcherRow, viewer: Viewer, targetOf: FindTarget = findTargets(tasks)): FilesystemWatcher => {
      const target = targetOf(row.targetTaskId);
      return viewWatcher(row, {
        targetName: target.name ?? row.targetTaskName,
        reason: row.enabled ? target.reason : "watcher_disabled",
        health: observationOf(row).health,
        viewer,
      });
    },

    create: (unit: Unit<WatcherFact>, input: FilesystemWatcherCreate): WatcherRow => {
      const target = tasks.get(input.target_task_id, "target_task_id");
      const names = freeName(input.name, null);
      const definition = createdDefinition(input);
      requireOutsideData(input.path);
      const row: WatcherRow = {
        id: newId("wch"),
        ...names,
        ...definition,
        targetTaskId: target.id,
        targetTaskName: target.name,
        enabled: input.enabled,
        observation: 1,
        observedFrom: unit.now,
        createdAt: unit.now,
        updatedAt: unit.now,
        revision: 1,
      };
      store.insert(row);
      unit.record({ name: "watcher.created", watcherId: row.id });
      return row;
    },

    update: (unit: Unit<WatcherFact>, id: string, patch: FilesystemWatcherPatch): WatcherRow => {
      const row = get(id);
      const change: Partial<WatcherRow> = { ...patchedDefinition(row, patch) };
      if (patch.path !== undefined) requireOutsideData(patch.path);
      if (patch.name !== undefined) Object.assign(change, freeName(patch.name, id));
      if (patch.target_task_id !== undefined) {
        const target = tasks.get(patch.target_task_id, "target_task_id");
        if (target.id !== row.targetTaskId)
          Object.assign(change, { targetTaskId: target.id, targetTaskName: target.name });
      }
      if (patch.enabled !== undefined) change.enabled = patch.enabled;
      return revise(unit, row, change);
    },

    remove: (unit: Unit<WatcherFact>, id: string): void => {
      const { name: watcherName } = get(id);
      store.remove(id);
      unit.record({ name: "watcher.deleted", watcherId: id, watcherName });
    },

    setEnabled: (unit: Unit<WatcherFact>, id: string, enabled: boolean): WatcherRow =>
      revise(unit, get(id), { enabled }),

    beginAnew,
    /** The original of data from elsewhere may have handled the files that changed during the hold. */
    onHoldEnding: (unit: Unit<WatcherFact>, { cause }: { readonly cause: HoldCause }): void => {
      if (cause === "requested") return;
      beginAnew(unit);
      // the observer begins again after the commit
      for (const { id: watcherId } of store.listAll()) unit.record({ name: "watcher.updated", watcherId, changed: [] });
    },
    /** The watchers stay, and keep the last name of their task. */
    onTaskDeleted: (_unit: Unit, { taskId, taskName }: TaskDeleted): void => store.keepTargetName(taskId, taskName),
  };
}
