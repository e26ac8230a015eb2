import type { TaskRow } from "./table.ts";

/** The runs that one limit counts: those of a task, or of all tasks with the same key. */
export interface Pool {
  readonly id: string;
  readonly max: number;
}

/** The id of a task never has a colon, so no key can equal one. */
export function poolIdOf({ id, concurrencyKey }: Pick<TaskRow, "id" | "concurrencyKey">): string {
  return concurrencyKey === null ? id : `key:${concurrencyKey}`;
}
