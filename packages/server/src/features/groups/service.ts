import type { GroupCreate, GroupPatch } from "@belfry/contract";
import { AppError, invalid, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { requireFreeName } from "../../kernel/names.ts";
import type { Page } from "../../kernel/storage/page.ts";
import type { SealedEnvironments } from "../../kernel/secrets/sealed-environment.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { ancestryOf, refusalOfPlace } from "./ancestry.ts";
import type { GroupDeleting, GroupFact } from "./facts.ts";
import type { GroupFilters, GroupStore } from "./store.ts";
import { groupMembers, type GroupRow } from "./table.ts";

export interface GroupDeps {
  readonly store: GroupStore;
  readonly environments: SealedEnvironments;
  /** Returns the canonical name of a zone. Throws `validation_failed` for an unknown zone. */
  readonly checkZone: (zone: string, field: string) => string;
}

export type Groups = ReturnType<typeof createGroups>;

export function createGroups(deps: GroupDeps) {
  const { store, environments } = deps;

  const get = (id: string, field: string | null = null): GroupRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("group", id, field);
    return row;
  };
  const ancestry = (id: string | null): readonly GroupRow[] => ancestryOf(id, store.find);
  /** Counts the levels from this group down to its deepest descendant, itself included. */
  const heightOf = (id: string): number =>
    1 +
    Math.max(
      0,
      ...store
        .list({ parentId: id }, { limit: Number.MAX_SAFE_INTEGER - 1, after: null })
        .map((child) => heightOf(child.id)),
    );

  const freeName = (name: string, id: string | null) =>
    requireFreeName(name, { kind: "a group", find: store.findByName }, { id });
  const { revise } = createRevise<GroupRow, GroupFact>({
    members: groupMembers,
    update: ({ id }, columns) => store.update(id, columns),
    fact: ({ id: groupId }, changed) => ({ name: "group.updated", groupId, changed }),
  });
  const checkPlace = (parentId: string | null, own: string | null): void => {
    if (parentId === null) return;
    get(parentId, "parent_id");
    const refusal = refusalOfPlace(own, ancestry(parentId), own === null ? 1 : heightOf(own));
    if (refusal !== null) throw invalid("parent_id", refusal);
  };

  return {
    get,
    find: store.find,
    ancestry,
    list: (filters: GroupFilters, page: Page) => store.list(filters, page),

    create: (unit: Unit<GroupFact>, input: GroupCreate): GroupRow => {
      const id = newId("grp");
      checkPlace(input.parent_id, null);
      const row: GroupRow = {
        id,
        ...freeName(input.name, null),
        parentId: input.parent_id,
        enabled: input.enabled,
        maxConcurrentRuns: input.max_concurrent_runs,
        timeZone: input.time_zone === null ? null : deps.checkZone(input.time_zone, "time_zone"),
        ...environments.sealNew("group", id, input.environment),
        description: input.description,
        createdAt: unit.now,
        updatedAt: unit.now,
        revision: 1,
      };
      store.insert(row);
      unit.record({ name: "group.created", groupId: id });
      return row;
    },

    update: (unit: Unit<GroupFact>, id: string, patch: GroupPatch): GroupRow => {
      const row = get(id);
      const change: Partial<GroupRow> = {};
      if (patch.name !== undefined) Object.assign(change, freeName(patch.name, id));
      if (patch.parent_id !== undefined) {
        checkPlace(patch.parent_id, id);
        change.parentId = patch.parent_id;
      }
      if (patch.enabled !== undefined) change.enabled = patch.enabled;
      if (patch.max_concurrent_runs !== undefined) change.maxConcurrentRuns = patch.max_concurrent_runs;
      if (patch.time_zone !== undefined)
        change.timeZone = patch.time_zone === null ? null : deps.checkZone(patch.time_zone, "time_zone");
      if (patch.environment !== undefined) Object.assign(change, environments.merge("group", row, patch.environment));
      if (patch.description !== undefined) change.description = patch.description;
      return revise(unit, row, change);
    },

    remove: (unit: Unit<GroupFact>, id: string): void => {
      get(id);
      if (store.hasChildGroup(id))
        throw new AppError("conflict", "this group contains other groups: move or delete them first");
      unit.record({ name: "group.deleting", groupId: id });
    },
    /**
     * Removes the row, as the last reaction: no other module has rejected the deletion, and each has removed the rows
     * that refer to it.
     */
    onGroupDeleting: (unit: Unit<GroupFact>, { groupId }: GroupDeleting): void => {
      store.remove(groupId);
      unit.record({ name: "group.deleted", groupId, erases: true });
    },

    setEnabled: (unit: Unit<GroupFact>, id: string, enabled: boolean): GroupRow => revise(unit, get(id), { enabled }),

    /** Merges the environments of a group and its parents; the nearest group wins. */
    environmentOf: (groupId: string | null): Readonly<Record<string, string>> =>
      ancestry(groupId).reduce<Readonly<Record<string, string>>>(
        (nearer, group) => ({ ...environments.open("group", group), ...nearer }),
        {},
      ),
    timeZoneOf: (groupId: string | null): string | null =>
      ancestry(groupId).find((group) => group.timeZone !== null)?.timeZone ?? null,
    isBlocked: (groupId: string | null): boolean => ancestry(groupId).some((group) => !group.enabled),
  };
}
