import type { Run } from "@belfry/client";
import { runWord } from "../../data/run-words.ts";

export interface RunSearch {
  /** A state, or `unended`. */
  readonly state?: string;
  readonly task?: string;
}

/** What `GET /v1/runs` is asked for. */
export interface RunQuestion {
  readonly state?: Run["state"];
  readonly ended?: boolean;
  readonly task_id?: string;
}

/** Every run that has not ended, whatever its state. */
const unended = "unended";

/** All of them: the type refuses a list that lacks one. */
const states = Object.keys({
  queued: true,
  dispatching: true,
  running: true,
  cancelling: true,
  succeeded: true,
  failed: true,
  cancelled: true,
  skipped: true,
} satisfies Record<Run["state"], true>) as Run["state"][];

/** The values of the filter with their words. */
export const stateFilters: readonly (readonly [value: string, word: string])[] = [
  [unended, "Not ended"],
  ...states.map((state) => [state, runWord(state)] as const),
];

/** The question of an address. A state that is not known here is left out. */
export function questionOf({ state, task }: RunSearch): RunQuestion {
  const known = states.find((one) => one === state);
  return {
    ...(state === unended ? { ended: false } : {}),
    ...(known === undefined ? {} : { state: known }),
    ...(task === undefined ? {} : { task_id: task }),
  };
}
