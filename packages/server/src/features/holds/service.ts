import type { HoldCause, HoldPlace, HoldRelease } from "@belfry/contract";
import { AppError, invalid } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { changedMembers, membersOf } from "../../kernel/storage/change.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { type Instant, parseInstant } from "../../kernel/time/time.ts";
import type { GroupDeleting, Groups } from "../groups/index.ts";
import type { HoldEnding, HoldFact } from "./facts.ts";
import type { HoldStore } from "./store.ts";
import type { HoldRow } from "./table.ts";

export interface HoldDeps {
  readonly store: HoldStore;
  readonly groups: Pick<Groups, "get" | "find" | "ancestry">;
}

export type Holds = ReturnType<typeof createHolds>;

const whyHeld: Readonly<Record<HoldCause, string>> = {
  requested: "a caller placed it",
  restored: "the data was restored from a backup, and its original may still run",
  moved: "the data came from another machine, where its original may still run",
};

const holdMembers = membersOf({ untilAt: "until" });

/**
 * Holds keep tasks from starting. A hold ends in one write: schedules record the times that it held as skipped, and
 * then its row is removed. So a time that is due after the release gets its run, and a time that was due before gets none.
 */
export function createHolds({ store, groups }: HoldDeps) {
  const findFor = (groupId: string | null): HoldRow | undefined => store.all().find((hold) => hold.groupId === groupId);
  const end = (unit: Unit<HoldFact>, { id: holdId, cause }: HoldRow, at: Instant): void =>
    unit.record({ name: "hold.ending", holdId, cause, at });

  return {
    find: store.find,
    findId: (groupId: string | null): string | null => findFor(groupId)?.id ?? null,
    list: store.list,
    groupNameOf: ({ groupId }: HoldRow): string | null =>
      groupId === null ? null : (groups.find(groupId)?.name ?? null),
    /** Finds the hold on the tasks of a group: on all tasks, or on the group or the nearest group around it. */
    findHoldOf: (groupId: string | null): HoldRow | undefined => {
      if (store.all().length === 0) return undefined;
      return (
        findFor(null) ??
        groups
          .ancestry(groupId)
          .map(({ id }) => findFor(id))
          .find((hold) => hold !== undefined)
      );
    },
    isEverythingHeld: (): boolean => findFor(null) !== undefined,
    /** Whether everything is held because the data came from elsewhere: its original may still run tasks and send webhooks. */
    isFromElsewhere: (): boolean => (findFor(null)?.cause ?? "requested") !== "requested",

    /** Places a hold, or changes the one that exists. The cause of a hold stays. */
    place: (unit: Unit<HoldFact>, input: HoldPlace): HoldRow => {
      if (input.group_id !== null) groups.get(input.group_id, "group_id");
      const untilAt = input.until === null ? null : parseInstant(input.until);
      if (untilAt !== null && untilAt <= unit.now)
        throw invalid(
          "until",
          "until must be in the future: give a later time, or leave it out to hold the tasks until they are released",
        );
      const former = findFor(input.group_id);
      if (former !== undefined && former.cause !== "requested" && untilAt !== null)
        throw new AppError(
          "conflict",
          `until cannot be set, because ${whyHeld[former.cause]}: release this hold yourself when the original no longer runs`,
          { field: "until" },
        );
      const { reason } = input;
      if (former === undefined) {
        const row = newHold(unit, { groupId: input.group_id, cause: "requested", reason, untilAt });
        store.insert(unit, row);
        unit.record({ name: "hold.created", holdId: row.id });
        return row;
      }
      const changed = changedMembers(former, { reason, untilAt }, holdMembers);
      if (changed.length === 0) return former;
      const change = { reason, untilAt, updatedAt: unit.now };
      store.update(unit, former.id, change);
      unit.record({ name: "hold.updated", holdId: former.id, changed });
      return { ...former, ...change };
    },

    /** Releases the hold of this cause: nobody releases data from elsewhere by accident. */
    release: (unit: Unit<HoldFact>, { group_id: groupId, cause }: HoldRelease): HoldRow => {
      if (groupId !== null) groups.get(groupId, "group_id");
      const hold = findFor(groupId);
      if (hold === undefined)
        throw new AppError(
          "conflict",
          groupId === null
            ? "there is no hold on all tasks: to release the hold on a group, give `group_id`"
            : "there is no hold on this group itself: if a hold on a group around it or on all tasks holds its tasks, release that one",
        );
      if (hold.cause !== cause)
        throw new AppError(
          "conflict",
          `cause must be ${JSON.stringify(hold.cause)} to release this hold, because ${whyHeld[hold.cause]}`,
          { field: "cause" },
        );
      end(unit, hold, unit.now);
      return hold;
    },

    /** Releases the holds whose time has come, in the order of their times: a later one holds nothing of an earlier one. */
    releaseExpired: (unit: Unit<HoldFact>): void => {
      const expired = store
        .all()
        .flatMap((hold) => (hold.untilAt !== null && hold.untilAt <= unit.now ? [{ hold, at: hold.untilAt }] : []))
        .toSorted((one, other) => one.at - other.at);
      for (const { hold, at } of expired) end(unit, hold, at);
    },
    /** When the next hold releases itself. */
    findNextRelease: (): Instant | null => {
      const times = store.all().flatMap(({ untilAt }) => (untilAt === null ? [] : [untilAt]));
      return times.length === 0 ? null : Math.min(...times);
    },

    /** Holds everything, because the data came from elsewhere. It replaces a hold that a caller requested. */
    holdEverything: (unit: Unit<HoldFact>, cause: Exclude<HoldCause, "requested">): void => {
      const former = findFor(null);
      const change = { cause, reason: null, untilAt: null, updatedAt: unit.now };
      if (former !== undefined) return store.update(unit, former.id, change);
      store.insert(unit, newHold(unit, { groupId: null, cause, reason: null, untilAt: null }));
    },

    onGroupDeleting: (unit: Unit<HoldFact>, { groupId }: GroupDeleting): void => {
      const hold = findFor(groupId);
      if (hold !== undefined) remove(unit, hold.id);
    },
    /** Removes the row, as the last reaction: schedules have recorded what was held. */
    onHoldEnding: (unit: Unit<HoldFact>, { holdId }: HoldEnding): void => remove(unit, holdId),
  };

  function remove(unit: Unit<HoldFact>, holdId: string): void {
    store.remove(unit, holdId);
    unit.record({ name: "hold.released", holdId });
  }
}

function newHold(
  { now }: Pick<Unit, "now">,
  columns: Pick<HoldRow, "groupId" | "cause" | "reason" | "untilAt">,
): HoldRow {
  return { id: newId("hld"), ...columns, createdAt: now, updatedAt: now };
}
