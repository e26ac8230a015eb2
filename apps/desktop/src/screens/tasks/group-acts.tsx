import type { Group } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import type { Act } from "../../components/menu.tsx";
import { ChangeProblem } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { useChange } from "../../data/change.ts";
import { newestOf } from "../../data/draft.ts";
import { useGrant } from "../../data/grant.ts";
import { useSession } from "../../data/session.tsx";
import { DeleteGroup } from "./delete-group.tsx";
import { GroupForm } from "./group-form.tsx";

export interface GroupActs {
  /** For the menu of the page: a new group, and what can be done with the chosen one. */
  readonly acts: readonly (Act | null)[];
  /** For the menu of a group's row. */
  readonly actsOf: (group: Group) => readonly (Act | null)[];
  /** The dialogs of the acts, what went wrong with them, and whether the chosen group is disabled. */
  readonly view: ReactNode;
}

export interface GroupActsOptions {
  /** The group that the filter has; undefined for all groups. */
  readonly chosen: string | undefined;
  readonly groups: readonly Group[];
  readonly choose: (id: string | undefined) => void;
}

/** What can be done with groups, and with the one that the filter has. */
export function useGroupActs({ chosen, groups, choose }: GroupActsOptions): GroupActs {
  const { client } = useSession();
  const { may } = useGrant();
  const [isAdding, setIsAdding] = useState(false);
  const [renamed, setRenamed] = useState<Group | null>(null);
  // kept, because its deletion may have to be explained when it is gone
  const [leaving, setLeaving] = useState<Group | null>(null);
  const turn = useChange(({ id, enabled }: Group) => (enabled ? client.groups.disable(id) : client.groups.enable(id)));
  const group = groups.find(({ id }) => id === chosen) ?? null;
  const renaming = groups.find(({ id }) => id === renamed?.id) ?? null;
  const close = (): void => {
    setIsAdding(false);
    setRenamed(null);
    setLeaving(null);
  };
  const leaveFor = (id: string | undefined): void => {
    close();
    // where all groups are shown, the list stays as it is
    if (chosen !== undefined || isAdding) choose(id);
  };
  const manage = (act: Act): Act | null => (may("manage") ? act : null);
  const actsOf = (of: Group): readonly (Act | null)[] => [
    manage({ label: "Rename the group", onSelect: () => setRenamed(of) }),
    may("operate")
      ? { label: `${of.enabled ? "Disable" : "Enable"} the group`, isAtOnce: true, onSelect: () => turn.run(of) }
      : null,
    manage({ label: "Delete the group", isDanger: true, onSelect: () => setLeaving(of) }),
  ];
  return {
    acts: [manage({ label: "New group", onSelect: () => setIsAdding(true) }), ...(group === null ? [] : actsOf(group))],
    actsOf: (of) => [{ label: "Show only this group", onSelect: () => choose(of.id) }, ...actsOf(of)],
    view: (
      <>
        <ChangeProblem change={turn} />
        {group?.enabled === false && (
          <p className="flex flex-wrap items-center gap-x-3">
            <Status kind="off">Group disabled</Status>
            <span>No task in {group.name} or in its subgroups starts. Active runs continue.</span>
          </p>
        )}
        <Dialog
          title={renaming === null ? "New group" : `Rename the group ${renaming.name}`}
          isOpen={isAdding || renaming !== null}
          onClose={close}
        >
          <GroupForm group={renaming} groups={groups} onDone={({ id }) => leaveFor(id)} onCancel={close} />
        </Dialog>
        {leaving !== null && (
          <DeleteGroup
            group={newestOf(leaving, groups)}
            groups={groups}
            onClose={() => (groups.some(({ id }) => id === leaving.id) ? close() : leaveFor(undefined))}
            onDeleted={() => leaveFor(undefined)}
          />
        )}
      </>
    ),
  };
}
