import type { TaskRow } from "../tasks/index.ts";
import type { WaitingTask } from "./store.ts";

/** What refused a run, if it refuses the runs of other tasks too. */
export type SharedRefusal = "group" | "key";

/**
 * Finds the tasks that a round must refuse like one that it has read and refused, without reading each of them. Below the
 * same group they have the same groups around them, all of which are enabled, with the same limits and holds. No slot
 * becomes free during a round. Reads the list at the first shared refusal of the round, because most rounds have none.
 */
export function createWaitingAlike(list: () => readonly WaitingTask[]) {
  let ofGroup: Map<string | null, readonly WaitingTask[]> | null = null;
  let ofKey: Map<string, readonly WaitingTask[]> | null = null;

  return (task: TaskRow, refusal: SharedRefusal): readonly WaitingTask[] => {
    ofGroup ??= Map.groupBy(list(), ({ groupId }) => groupId);
    const inGroup = ofGroup.get(task.groupId) ?? [];
    if (refusal === "group") {
      // each is refused once, however many tasks of the group are still read
      ofGroup.delete(task.groupId);
      return inGroup;
    }
    ofKey ??= Map.groupBy([...ofGroup.values()].flat(), placeOf);
    const place = placeOf({ groupId: task.groupId, key: task.concurrencyKey });
    const alike = ofKey.get(place) ?? [];
    ofKey.delete(place);
    return alike;
  };
}

/** Tasks with one key may be in several groups, and one of these may be disabled or held. */
function placeOf({ groupId, key }: Pick<WaitingTask, "groupId" | "key">): string {
  return JSON.stringify([groupId, key]);
}
