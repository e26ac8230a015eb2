import type { TriggerSetSecrets } from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";
import { requireFreeName } from "../../kernel/names.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { TaskRow } from "../tasks/index.ts";
import type { Keys } from "./keys.ts";
import { newTrigger } from "./new-trigger.ts";
import type { TriggerStore } from "./store.ts";
import type { TriggerRow } from "./table.ts";

export interface MemberDeps {
  readonly store: TriggerStore;
  readonly keys: Keys;
  readonly command: string;
}

/** A member's name, and the field of the request that contains it. */
export interface MemberName {
  readonly name: string;
  readonly field: string;
}

export interface NewMembers {
  readonly setId: string;
  readonly target: TaskRow;
  readonly names: readonly MemberName[];
}

export type Members = ReturnType<typeof createMembers>;

/**
 * The operations of a trigger set on all its members in one write. It records no facts: the trigger sets module records one
 * for the whole set.
 */
export function createMembers({ store, keys, command }: MemberDeps) {
  return {
    /** Lists the members by position. */
    list: store.listOfSet,

    create: (unit: Unit, { setId, target, names }: NewMembers): readonly TriggerRow[] => {
      checkNames(names);
      return names.map(({ name }, index) => {
        const membership = { setId, position: index + 1 };
        const row = newTrigger(unit, keys, { name, target, enabled: true, membership });
        store.insert(row);
        return row;
      });
    },

    retarget: (unit: Unit, setId: string, target: TaskRow): void =>
      changeEach(unit, setId, () => ({ targetTaskId: target.id, targetTaskName: target.name })),

    /** Enables or disables all members; returns whether any member changed. */
    setEnabled: (unit: Unit, setId: string, enabled: boolean): boolean => {
      const isChange = store.listOfSet(setId).some((row) => row.enabled !== enabled);
      changeEach(unit, setId, (row) => (row.enabled === enabled ? null : { enabled }));
      return isChange;
    },

    rotate: (unit: Unit, setId: string): void =>
      changeEach(unit, setId, (row) => ({ ...keys.mint(row.id), keyNumber: row.keyNumber + 1 })),

    secretsOf: (setId: string): TriggerSetSecrets["keys"] =>
      store.listOfSet(setId).map((row) => ({
        trigger_id: row.id,
        position: row.setPosition ?? 0,
        key: keys.open(row),
        command,
      })),

    removeAll: store.removeOfSet,
  };

  function changeEach(unit: Unit, setId: string, changeOf: (row: TriggerRow) => Partial<TriggerRow> | null): void {
    for (const row of store.listOfSet(setId)) {
      const change = changeOf(row);
      if (change !== null) store.update(row.id, { ...change, updatedAt: unit.now, revision: row.revision + 1 });
    }
  }

  function checkNames(names: readonly MemberName[]): void {
    const seen = new Set<string>();
    for (const { name, field } of names) {
      const { nameKey } = requireFreeName(name, { kind: "a trigger", find: store.findByName }, { id: null, field });
      if (seen.has(nameKey))
        throw invalid(
          field,
          `member_names must be unique, regardless of case: two members are named ${JSON.stringify(name)}`,
        );
      seen.add(nameKey);
    }
  }
}
