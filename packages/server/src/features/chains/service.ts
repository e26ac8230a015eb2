import type { ChainCreate, ChainPatch } from "@belfry/contract";
import { invalid, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { durationMs } from "../../kernel/time/duration.ts";
import type { Tasks } from "../tasks/index.ts";
import { findNearPath, findPath, graphOf } from "./cycle.ts";
import type { ChainFact } from "./facts.ts";
import { edgesAround } from "./graph.ts";
import type { ChainFilters, ChainStore, NamedChain } from "./store.ts";
import { chainMembers, type ChainRow } from "./table.ts";

export interface ChainDeps {
  readonly store: ChainStore;
  readonly tasks: Tasks;
}

export type Chains = ReturnType<typeof createChains>;

/** The maximum number of tasks that an error names. Of a longer cycle, it names the first and the last ones. */
const namedMax = 8;
const whole: Page = { limit: Number.MAX_SAFE_INTEGER - 1, after: null };

export function createChains({ store, tasks }: ChainDeps) {
  const get = (id: string): NamedChain => {
    const row = store.find(id);
    if (row === undefined) throw notFound("chain", id);
    return row;
  };
  const { changesOf, reviseNamed } = createRevise<ChainRow, ChainFact>({
    members: chainMembers,
    update: ({ id }, columns) => store.update(id, columns),
    fact: ({ id: chainId }, changed) => ({ name: "chain.updated", chainId, changed }),
  });

  return {
    get,
    find: store.find,
    list: (filters: ChainFilters, page: Page) => store.list(filters, page),

    /** Lists chains, oldest first; with a task, only the chains before and after it. */
    graph: (taskId: string | undefined): readonly NamedChain[] => {
      if (taskId !== undefined) tasks.get(taskId, "task_id");
      const all = [...store.list({}, whole)].reverse();
      return taskId === undefined ? all : edgesAround(all, taskId);
    },

    create: (unit: Unit<ChainFact>, input: ChainCreate): NamedChain => {
      const row: ChainRow = {
        id: newId("chn"),
        sourceTaskId: input.source_task_id,
        targetTaskId: input.target_task_id,
        onOutcome: input.on_outcome,
        enabled: input.enabled,
        delayMs: durationMs(input.delay),
        createdAt: unit.now,
        updatedAt: unit.now,
        revision: 1,
      };
      const named = checkPlace(row, input);
      store.insert(row);
      unit.record({ name: "chain.created", chainId: row.id });
      return named;
    },

    update: (unit: Unit<ChainFact>, id: string, patch: ChainPatch): NamedChain => {
      const row = get(id);
      const change: Partial<ChainRow> = {};
      if (patch.source_task_id !== undefined) change.sourceTaskId = patch.source_task_id;
      if (patch.target_task_id !== undefined) change.targetTaskId = patch.target_task_id;
      if (patch.on_outcome !== undefined) change.onOutcome = patch.on_outcome;
      if (patch.enabled !== undefined) change.enabled = patch.enabled;
      if (patch.delay !== undefined) change.delayMs = durationMs(patch.delay);
      const changed = changesOf(row, change);
      if (changed.length === 0) return row;
      const { sourceTaskName, targetTaskName } = checkPlace({ ...row, ...change }, patch);
      return { ...reviseNamed(unit, row, { change, changed }), sourceTaskName, targetTaskName };
    },

    remove: (unit: Unit<ChainFact>, id: string): void => {
      get(id);
      store.remove(id);
      unit.record({ name: "chain.deleted", chainId: id });
    },

    /** Removes the chains of a deleted task. */
    removeOf: (unit: Unit<ChainFact>, taskId: string): void => {
      for (const id of store.listIdsOf(taskId)) {
        store.remove(id);
        unit.record({ name: "chain.deleted", chainId: id });
      }
    },
  };

  /** Throws if the chain conflicts with the others. The error names a member that the caller sent. */
  function checkPlace(row: ChainRow, sent: ChainPatch): NamedChain {
    const source = tasks.get(row.sourceTaskId, "source_task_id");
    const target = tasks.get(row.targetTaskId, "target_task_id");
    const field =
      sent.target_task_id === undefined && sent.source_task_id !== undefined ? "source_task_id" : "target_task_id";
    if (source.id === target.id)
      throw invalid(field, "a chain cannot start its own source task: use two different tasks");
    refuseDuplicate(row, isMoved(sent) ? field : "on_outcome");
    // a change of outcome, delay or `enabled` cannot close a cycle
    if (isMoved(sent)) refuseCycle(row, field);
    return { ...row, sourceTaskName: source.name, targetTaskName: target.name };
  }

  function refuseDuplicate(row: ChainRow, field: string): void {
    const other = store
      .listBetween(row.sourceTaskId, row.targetTaskId, row.id)
      .find(({ onOutcome }) => onOutcome === row.onOutcome || onOutcome === "any" || row.onOutcome === "any");
    if (other === undefined) return;
    const tasksOfIt = `${qualifiedNameOf(row.sourceTaskId)} to ${qualifiedNameOf(row.targetTaskId)}`;
    throw invalid(
      field,
      `a chain from ${tasksOfIt} for the outcome ${JSON.stringify(other.onOutcome)} already exists: change ${other.id} instead`,
    );
  }

  /** Names a task with its group, because tasks of different groups may share a name. */
  function qualifiedNameOf(taskId: string): string {
    const task = tasks.find(taskId);
    const group = task === undefined ? null : tasks.groupNameOf(task);
    const name = task?.name ?? taskId;
    return JSON.stringify(group === null ? name : `${group}/${name}`);
  }

  function refuseCycle(row: ChainRow, field: string): void {
    const near = findNearPath(store.graphWithout(row.id), row.targetTaskId, row.sourceTaskId);
    const path = near.isFar
      ? findPath(graphOf(store.listEdgesWithout(row.id)), row.targetTaskId, row.sourceTaskId)
      : near.path;
    if (path === null) return;
    const names = [row.sourceTaskId, ...path].map(qualifiedNameOf);
    const shown =
      names.length <= namedMax + 1 ? names : [...names.slice(0, namedMax / 2), "…", ...names.slice(-namedMax / 2)];
    throw invalid(
      field,
      `this chain would form a cycle: ${shown.join(" → ")}. Disabled chains count too: delete one of these chains first`,
    );
  }
}

function isMoved(sent: ChainPatch): boolean {
  return sent.source_task_id !== undefined || sent.target_task_id !== undefined;
}
