import type { NotificationScope, NotificationAssignmentsReplace } from "@belfry/contract";
import { invalid, notFound } from "../../kernel/errors/errors.ts";
import type { Page } from "../../kernel/storage/page.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { GroupDeleting, Groups } from "../groups/index.ts";
import type { TaskDeleted, TaskRow, Tasks } from "../tasks/index.ts";
import type { ChannelDeleting, Channels } from "../channels/index.ts";
import type { AssignmentFact } from "./facts.ts";
import { selectScope } from "./policy.ts";
import type { AssignedScope, AssignmentStore } from "./store.ts";
import type { AssignmentRow } from "./table.ts";

export interface AssignmentDeps {
  readonly store: AssignmentStore;
  readonly channels: Pick<Channels, "find" | "get">;
  readonly tasks: Tasks;
  readonly groups: Groups;
}

/** A scope with its current own assignments. */
export interface OwnAssignments {
  readonly assignments: readonly AssignmentRow[];
  readonly revision: number;
}

export interface EffectiveScope {
  readonly scope: NotificationScope;
  readonly id: string;
  readonly name: string;
  readonly assignments: readonly AssignmentRow[];
}

export interface ChannelScope extends AssignedScope {
  readonly name: string;
  readonly groupPath: string | null;
}

export type Assignments = ReturnType<typeof createAssignments>;

/** The revision of a scope whose assignments were never set. */
const firstRevision = 1;

export function createAssignments({ store, channels, tasks, groups }: AssignmentDeps) {
  const requireScope = (scope: NotificationScope, id: string): void => {
    if (scope === "task") tasks.get(id);
    else groups.get(id);
  };
  const ownOf = (id: string): OwnAssignments => ({
    assignments: store.listOfScope(id),
    revision: store.findScope(id)?.revision ?? firstRevision,
  });

  return {
    get: (scope: NotificationScope, id: string): OwnAssignments => {
      requireScope(scope, id);
      return ownOf(id);
    },
    /** Returns the revision of the assignments of a task or a group; undefined for an unknown id. */
    revisionOf: (id: string): number | undefined =>
      tasks.find(id) === undefined && groups.find(id) === undefined ? undefined : ownOf(id).revision,
    /** Whether any scope has assignments. */
    hasAny: store.hasAny,

    replace: (
      unit: Unit<AssignmentFact>,
      of: { readonly scope: NotificationScope; readonly id: string },
      input: NotificationAssignmentsReplace,
    ): OwnAssignments => {
      requireScope(of.scope, of.id);
      const rows = input.assignments.map(({ channel_id: channelId, on_success, on_failure }, position) => ({
        scopeId: of.id,
        channelId,
        position,
        onSuccess: on_success,
        onFailure: on_failure,
      }));
      check(rows);
      const before = ownOf(of.id);
      if (isSame(before.assignments, rows)) return before;
      const revision = before.revision + 1;
      if (store.findScope(of.id) === undefined) store.insertScope({ id: of.id, kind: of.scope, revision });
      else store.updateScope(of.id, { revision });
      store.clearScope(of.id);
      for (const row of rows) store.insert(row);
      unit.record({ name: "assignments.replaced", scope: of.scope, scopeId: of.id, changed: ["assignments"] });
      return { assignments: rows, revision };
    },

    /** Returns the assignments that apply to a task; null if neither the task nor its groups have any. */
    effectiveOf: (task: TaskRow): EffectiveScope | null => selectScope(scopesAround(task)),

    /** Lists the tasks and groups that notify a channel. */
    listOfChannel: (channelId: string, page: Page): readonly ChannelScope[] => {
      channels.get(channelId);
      return store.listOfChannel(channelId, page).map((row) => {
        const { name, parentId } = placeOf(row.kind, row.id);
        const path = [...groups.ancestry(parentId)].map((group) => group.name).toReversed();
        return { ...row, name, groupPath: path.length === 0 ? null : path.join("/") };
      });
    },

    /** Removes the assignments of a deleted channel, which changes each scope that had one. */
    onChannelDeleting: (unit: Unit<AssignmentFact>, { channelId }: ChannelDeleting): void => {
      const scopes = store.listScopesOfChannel(channelId);
      store.removeOfChannel(channelId);
      for (const { id, kind, revision } of scopes) {
        store.updateScope(id, { revision: revision + 1 });
        unit.record({ name: "assignments.replaced", scope: kind, scopeId: id, changed: ["assignments"] });
      }
    },
    onTaskDeleted: (_unit: Unit, { taskId }: TaskDeleted): void => store.removeScope(taskId),
    onGroupDeleting: (_unit: Unit, { groupId }: GroupDeleting): void => store.removeScope(groupId),
  };

  function placeOf(scope: NotificationScope, id: string): { readonly name: string; readonly parentId: string | null } {
    if (scope === "group") return groups.get(id);
    const { name, groupId } = tasks.get(id);
    return { name, parentId: groupId };
  }

  /** Reads one scope at a time, because most tasks have assignments of their own or in a near group. */
  function* scopesAround(task: TaskRow): Iterable<EffectiveScope> {
    yield { scope: "task", id: task.id, name: task.name, assignments: store.listOfScope(task.id) };
    for (const group of groups.ancestry(task.groupId))
      yield { scope: "group", id: group.id, name: group.name, assignments: store.listOfScope(group.id) };
  }

  function check(rows: readonly AssignmentRow[]): void {
    rows.forEach((row, index) => {
      const at = `assignments.${index}`;
      if (channels.find(row.channelId) === undefined)
        throw notFound("notification channel", row.channelId, `${at}.channel_id`);
      if (rows.findIndex((other) => other.channelId === row.channelId) !== index)
        throw invalid(
          `${at}.channel_id`,
          `${at}.channel_id names a channel that is already in the list: list each channel once`,
        );
      if (!row.onSuccess && !row.onFailure)
        throw invalid(
          `${at}.on_success`,
          `${at} selects no outcome: set its on_success or on_failure to true, or remove this entry from the list`,
        );
    });
  }
}

function isSame(before: readonly AssignmentRow[], after: readonly AssignmentRow[]): boolean {
  return (
    before.length === after.length &&
    before.every(
      ({ channelId, onSuccess, onFailure }, index) =>
        after[index]?.channelId === channelId &&
        after[index].onSuccess === onSuccess &&
        after[index].onFailure === onFailure,
    )
  );
}
