import type { Client, NotificationChannel } from "@belfry/client";
import type { ReactNode } from "react";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Problem } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { countNames, join } from "../../data/count-names.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

export interface DeleteChannelProps {
  readonly channel: NotificationChannel;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deletes a channel, once it is known which tasks and groups notify it. */
export function DeleteChannel({ channel, onClose, onDeleted }: DeleteChannelProps): ReactNode {
  const { client } = useSession();
  const read = useRead(["notified-by", channel.id], (signal) => readNotifiers(client, channel.id, signal), {
    kinds: ["notification_assignment", "task", "group"],
  });
  const remove = useChange(
    ({ id, revision }: NotificationChannel) => client.notificationChannels.delete(id, { ifMatch: revision }),
    onDeleted,
  );
  return (
    <ConfirmChange
      title={`Delete the channel ${channel.name}?`}
      act="Delete"
      subject={channel}
      change={remove}
      isPossible={read.data !== null}
      onClose={onClose}
    >
      {({ name }) => {
        if (read.data === null)
          return read.error === null ? (
            <p>Looking for what notifies it …</p>
          ) : (
            <Problem error={read.error} again={read.again} />
          );
        return (
          <>
            <p>{sentenceOf(read.data, name)}</p>
            <p>Its address, its secrets and its unfinished deliveries are deleted. This cannot be undone.</p>
          </>
        );
      }}
    </ConfirmChange>
  );
}

/** The tasks and the groups that notify a channel, each kind by its number and its first names. */
async function readNotifiers(client: Client, channelId: string, signal: AbortSignal): Promise<readonly string[]> {
  const page = await client.notificationAssignments.ofChannel(channelId, { limit: 100 }, { signal });
  const isMore = page.next_cursor !== null;
  const namesOf = (scope: "task" | "group"): readonly string[] =>
    page.assignments.filter((each) => each.scope === scope).map(({ name }) => name);
  return [countNames(namesOf("task"), "task", isMore), countNames(namesOf("group"), "group", isMore)].filter(
    (text) => text !== null,
  );
}

function sentenceOf(notifiers: readonly string[], name: string): string {
  if (notifiers.length === 0) return `No task and no group notifies ${name}.`;
  const isOne = notifiers.length === 1 && notifiers[0]!.startsWith("1 ");
  return `${join(notifiers)} ${isOne ? "notifies" : "notify"} ${name}, and ${isOne ? "stops" : "stop"} doing so.`;
}
