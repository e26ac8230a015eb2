import { newId } from "../../kernel/ids.ts";
import { nameKey } from "../../kernel/names.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { TaskRow } from "../tasks/index.ts";
import type { Keys } from "./keys.ts";
import type { TriggerRow } from "./table.ts";

/** The number of a trigger's first key. Each rotation increases it by one. */
export const firstKey = 1;

export interface NewTrigger {
  readonly name: string;
  readonly target: TaskRow;
  readonly enabled: boolean;
  /** Null for a trigger that is not in a set. */
  readonly membership: { readonly setId: string; readonly position: number } | null;
}

/** Makes the row of a trigger that has never fired, with its first key. */
export function newTrigger(unit: Unit, keys: Keys, { name, target, enabled, membership }: NewTrigger): TriggerRow {
  const id = newId("trg");
  return {
    id,
    name,
    nameKey: nameKey(name),
    setId: membership?.setId ?? null,
    setPosition: membership?.position ?? null,
    targetTaskId: target.id,
    targetTaskName: target.name,
    enabled,
    ...keys.mint(id),
    keyNumber: firstKey,
    lastFiredAt: null,
    fireCount: 0,
    createdAt: unit.now,
    updatedAt: unit.now,
    revision: 1,
  };
}
