import {
  limits,
  type ReadinessReason,
  type Task,
  type TaskCreate,
  type TaskPatch,
  type Viewer,
} from "@belfry/contract";
import { AppError, invalid, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import { requireFreeName } from "../../kernel/names.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { Page } from "../../kernel/storage/page.ts";
import type { SealedEnvironments } from "../../kernel/secrets/sealed-environment.ts";
import type { Sealing } from "../../kernel/secrets/secrets.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { GroupDeleting, Groups } from "../groups/index.ts";
import type { HoldRow, Holds } from "../holds/index.ts";
import { plainColumns } from "./columns.ts";
import { createExpectedSuccess, isOverdue } from "./expected-success.ts";
import type { TaskFact } from "./facts.ts";
import { type Pool, poolIdOf } from "./pool.ts";
import type { TaskFilters, TaskStore } from "./store.ts";
import { taskMembers, type TaskRow } from "./table.ts";
import { readinessOf } from "./target.ts";
import type { RunAsRules } from "./run-as.ts";
import { type TaskHistory, viewTask } from "./view.ts";

export interface TaskDeps {
  readonly store: TaskStore;
  readonly clock: Pick<Clock, "now">;
  readonly groups: Groups;
  readonly environments: SealedEnvironments;
  readonly sealing: Sealing;
  readonly runAs: RunAsRules;
  /** Whether the queue has space and the daemon is not stopping, as the modules above this one report. */
  readonly isDispatchAvailable: (task: TaskRow) => boolean;
  /** The latest runs of these tasks, from a module above this one. */
  readonly readHistories: (taskIds: readonly string[], recent?: number) => ReadonlyMap<string, TaskHistory>;
  /** The next scheduled time of a task, if it has one. */
  readonly findNextRun: (taskId: string) => Instant | null;
  readonly holds: Pick<Holds, "findHoldOf" | "isEverythingHeld">;
}

export type Tasks = ReturnType<typeof createTasks>;

/** With these, a task still starts at the times of its schedules: a hold does not hide the run after its release. */
const temporary: ReadonlySet<ReadinessReason> = new Set(["ready", "held", "dispatch_unavailable"]);

const inputContext = (id: string): string => `task:${id}:standard_input`;

export function createTasks(deps: TaskDeps) {
  const { store, groups, holds, environments, sealing } = deps;

  const get = (id: string, field: string | null = null): TaskRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("task", id, field);
    return row;
  };
  const findHoldOf = (task: TaskRow): HoldRow | undefined => holds.findHoldOf(task.groupId);
  const readiness = (task: TaskRow | undefined): ReadinessReason =>
    readinessOf(task, {
      isGroupBlocked: task !== undefined && groups.isBlocked(task.groupId),
      isHeld: task !== undefined && findHoldOf(task) !== undefined,
      isDispatchAvailable: task !== undefined && deps.isDispatchAvailable(task),
    });
  /**
   * The readiness without temporary conditions, for a due instant or a queued run: only the user can remove these
   * obstacles.
   */
  const obstacleOf = (task: TaskRow): Exclude<ReadinessReason, "dispatch_unavailable"> => {
    const reason = readinessOf(task, {
      isGroupBlocked: groups.isBlocked(task.groupId),
      isHeld: findHoldOf(task) !== undefined,
      isDispatchAvailable: true,
    });
    invariant(reason !== "dispatch_unavailable", "dispatch is available in these surroundings");
    return reason;
  };
  const expected = createExpectedSuccess(store);
  const revised = createRevise<TaskRow, TaskFact>({
    members: taskMembers,
    update: ({ id }, columns) => store.update(id, columns),
    fact: ({ id: taskId }, changed) => ({ name: "task.updated", taskId, changed }),
  });
  const revise = (unit: Unit<TaskFact>, row: TaskRow, change: Partial<TaskRow>): TaskRow => {
    const next = revised.revise(unit, row, change);
    if (next !== row) expected.onChanged(unit, row, next);
    return next;
  };
  const groupNameOf = (task: TaskRow): string | null =>
    task.groupId === null ? null : (groups.find(task.groupId)?.name ?? null);

  /** Shows a page of tasks. The runs of all of them are read together. */
  const viewAll = (rows: readonly TaskRow[], viewer: Viewer, recent?: number): Task[] => {
    const ids = rows.map(({ id }) => id);
    const histories = deps.readHistories(ids, recent);
    return rows.map((row) => {
      const result = store.findResult(row.id);
      const reason = readiness(row);
      return viewTask(row, {
        groupName: groupNameOf(row),
        reason,
        viewer,
        isOverdue: result !== undefined && isOverdue(result, deps.clock.now()),
        lastSuccessAt: result?.lastSuccessAt ?? null,
        history: histories.get(row.id)!,
        nextRunAt: temporary.has(reason) ? deps.findNextRun(row.id) : null,
      });
    });
  };

  return {
    get,
    find: store.find,
    list: (filters: TaskFilters, page: Page) => store.list(filters, page),
    readiness,
    obstacleOf,
    findHoldOf,
    isEverythingHeld: holds.isEverythingHeld,
    groupNameOf,
    /**
     * Lists the limits of the groups that contain a task. Each limit counts the runs of all tasks in its group and
     * subgroups.
     */
    groupLimitsOf: (task: TaskRow) =>
      groups.ancestry(task.groupId).map((group) => ({ id: group.id, name: group.name, max: group.maxConcurrentRuns })),
    /** Tasks with the same key share the lowest of their limits. Archived tasks do not lower it. */
    poolOf: (task: TaskRow): Pool => {
      const { concurrencyKey: key, concurrencyLimit: own } = task;
      return { id: poolIdOf(task), max: key === null ? own : (store.findLowestLimit(key) ?? own) };
    },
    /** Whether the runs of both tasks count against the same limit. */
    isSharingPool: (task: TaskRow, otherId: string): boolean => {
      if (task.id === otherId) return true;
      return task.concurrencyKey !== null && store.find(otherId)?.concurrencyKey === task.concurrencyKey;
    },
    /** The size of the output that is kept of the task's ended attempts. */
    keptBytesOf: (id: string): number => store.findResult(id)?.keptBytes ?? 0,
    addKeptBytes: (_unit: Unit, id: string, bytes: number): void => store.addKeptBytes(id, bytes),
    timeZoneOf: (task: TaskRow): string | null => groups.timeZoneOf(task.groupId),
    view: (row: TaskRow, viewer: Viewer): Task => viewAll([row], viewer)[0]!,
    viewAll,
    onRunEnded: expected.onRunEnded,

    create: (unit: Unit<TaskFact>, input: TaskCreate): TaskRow => {
      const id = newId("tsk");
      checkGroup(input.group_id);
      const row: TaskRow = {
        ...(plainColumns(input) as Required<ReturnType<typeof plainColumns>>),
        id,
        ...freeName(input.name, { id: null, groupId: input.group_id }),
        groupId: input.group_id,
        lifecycle: input.command === null ? "draft" : "active",
        command: input.command,
        runAs: deps.runAs.check(input.run_as),
        ...environments.sealNew("task", id, input.environment),
        standardInputSealed:
          input.standard_input === null ? null : sealing.seal(input.standard_input, inputContext(id)),
        labels: input.labels,
        createdAt: unit.now,
        updatedAt: unit.now,
        revision: 1,
      };
      store.insert(row);
      expected.onCreated(unit, row);
      unit.record({ name: "task.created", taskId: id });
      return row;
    },

    update: (unit: Unit<TaskFact>, id: string, patch: TaskPatch): TaskRow => {
      const row = get(id);
      const change: Partial<TaskRow> = plainColumns(patch);
      if (patch.group_id !== undefined) {
        checkGroup(patch.group_id);
        change.groupId = patch.group_id;
      }
      if (patch.name !== undefined || patch.group_id !== undefined) {
        const groupId = patch.group_id === undefined ? row.groupId : patch.group_id;
        Object.assign(change, freeName(patch.name ?? row.name, { id, groupId }));
      }
      if (patch.command !== undefined) Object.assign(change, commandColumns(row, patch.command));
      if (patch.run_as !== undefined) change.runAs = deps.runAs.check(patch.run_as);
      if (patch.environment !== undefined) Object.assign(change, environments.merge("task", row, patch.environment));
      if (patch.standard_input !== undefined) Object.assign(change, inputColumns(row, patch.standard_input));
      if (patch.labels !== undefined) change.labels = mergeLabels(row.labels, patch.labels);
      return revise(unit, row, change);
    },

    remove: (unit: Unit<TaskFact>, id: string): void => {
      const { name: taskName } = get(id);
      store.remove(id);
      unit.record({ name: "task.deleted", taskId: id, taskName, erases: true });
    },

    setEnabled: (unit: Unit<TaskFact>, id: string, enabled: boolean): TaskRow => revise(unit, get(id), { enabled }),

    archive: (unit: Unit<TaskFact>, id: string): TaskRow => {
      const row = get(id);
      if (row.lifecycle === "archived") throw new AppError("conflict", "the task is already archived");
      return revise(unit, row, { lifecycle: "archived" });
    },
    restore: (unit: Unit<TaskFact>, id: string): TaskRow => {
      const row = get(id);
      if (row.lifecycle !== "archived")
        throw new AppError("conflict", "the task is not archived, so it cannot be restored");
      return revise(unit, row, { lifecycle: row.command === null ? "draft" : "active" });
    },

    onGroupDeleting: (_unit: Unit, { groupId }: GroupDeleting): void => {
      if (store.hasTaskIn(groupId))
        throw new AppError("conflict", "this group contains tasks: move or delete them first");
    },

    ownEnvironmentOf: (row: TaskRow) => environments.open("task", row),
    /** Merges the environments of the task and its groups. The task's values win, then those of the nearest group. */
    environmentOf: (row: TaskRow): Readonly<Record<string, string>> => ({
      ...groups.environmentOf(row.groupId),
      ...environments.open("task", row),
    }),
    standardInputOf: (row: TaskRow): string | null =>
      row.standardInputSealed === null ? null : sealing.open(row.standardInputSealed, inputContext(row.id)),
  };

  function checkGroup(groupId: string | null): void {
    if (groupId !== null) groups.get(groupId, "group_id");
  }

  /** Requires a name that is free within its group, or among the tasks without a group. */
  function freeName(name: string, { id, groupId }: { readonly id: string | null; readonly groupId: string | null }) {
    const find = (key: string) => store.findByName(groupId, key);
    const place = groupId === null ? "outside any group" : "in this group";
    return requireFreeName(name, { kind: "a task", find, place }, { id });
  }

  function commandColumns(row: TaskRow, command: TaskPatch["command"]): Partial<TaskRow> {
    if (command === null || command === undefined) {
      if (row.command === null) return {};
      throw invalid("command", "command cannot be cleared, only replaced: disable or archive the task instead");
    }
    return { command, lifecycle: row.lifecycle === "draft" ? "active" : row.lifecycle };
  }

  /**
   * Returns the columns of changed input. Unchanged input is kept, because encrypting it again would look like a
   * change.
   */
  function inputColumns(row: TaskRow, input: string | null): Partial<TaskRow> {
    const before =
      row.standardInputSealed === null ? null : sealing.open(row.standardInputSealed, inputContext(row.id));
    if (before === input) return {};
    return { standardInputSealed: input === null ? null : sealing.seal(input, inputContext(row.id)) };
  }
}

function mergeLabels(
  before: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const after: Record<string, string> = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete after[key];
    else after[key] = value;
  }
  if (Object.keys(after).length > limits.labelsMax)
    throw invalid(
      "labels",
      `labels must have at most ${limits.labelsMax} entries after the change: remove some labels`,
    );
  return after;
}
