import type { Client, Group } from "@belfry/client";
import type { ReactNode } from "react";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Problem } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { countNames, join, joinWithVerb } from "../../data/count-names.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

const most = 100;

export interface DeleteGroupProps {
  readonly group: Group;
  readonly groups: readonly Group[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deletes an empty group. Of another one, it says what is still in it. */
export function DeleteGroup({ group, groups, onClose, onDeleted }: DeleteGroupProps): ReactNode {
  const { client } = useSession();
  const read = useRead(["group-contents", group.id], (signal) => readContents(client, group.id, signal), {
    kinds: ["task", "hold", "notification_assignment", "notification_channel"],
  });
  const remove = useChange(({ id, revision }: Group) => client.groups.delete(id, { ifMatch: revision }), onDeleted);
  const subgroups = groups.filter(({ parent_id }) => parent_id === group.id);
  const inside = known([read.data?.tasks ?? null, countNames(namesOf(subgroups), "subgroup")]);
  const withIt = known([countNames(group.environment_names ?? [], "variable"), ...(read.data?.others ?? [])]);
  return (
    <ConfirmChange
      title={`Delete the group ${group.name}?`}
      act="Delete"
      subject={group}
      change={remove}
      isPossible={read.data !== null && inside.length === 0}
      onClose={onClose}
    >
      {({ name }) => {
        if (read.data === null)
          return read.error === null ? (
            <p>Looking for what is in it …</p>
          ) : (
            <Problem error={read.error} again={read.again} />
          );
        if (inside.length > 0)
          return (
            <p>
              {name} contains {join(inside)}. Only an empty group can be deleted: move or delete what is in it first.
            </p>
          );
        return (
          <>
            <p>The group is empty. {sentenceOf(withIt)}</p>
            <p>This cannot be undone.</p>
          </>
        );
      }}
    </ConfirmChange>
  );
}

interface GroupContents {
  /** The tasks that are directly in the group. They keep it from being deleted. */
  readonly tasks: string | null;
  /** What else is deleted with the group. */
  readonly others: readonly (string | null)[];
}

async function readContents(client: Client, groupId: string, signal: AbortSignal): Promise<GroupContents> {
  const [tasks, own, channels, holds] = await Promise.all([
    client.tasks.list({ group_id: groupId, limit: most }, { signal }),
    client.notificationAssignments.ofGroup(groupId, { signal }),
    client.notificationChannels.list({}, { signal }),
    client.holds.list({}, { signal }),
  ]);
  const channelName = (id: string): string =>
    channels.notification_channels.find((channel) => channel.id === id)?.name ?? id;
  const notified = own.assignments.map(({ channel_id }) => `to ${channelName(channel_id)}`);
  return {
    tasks: countNames(namesOf(tasks.tasks), "task", tasks.next_cursor !== null),
    others: [
      countNames(notified, "notification"),
      holds.holds.some(({ group_id }) => group_id === groupId) ? "1 hold" : null,
    ],
  };
}

const known = (texts: readonly (string | null)[]): readonly string[] => texts.filter((text) => text !== null);
const namesOf = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name);

function sentenceOf(parts: readonly string[]): string {
  if (parts.length === 0) return "It has no variable, notification or hold that is deleted with it.";
  return `${joinWithVerb(parts, ["is", "are"])} deleted with it.`;
}
