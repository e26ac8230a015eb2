import type { NotificationChannel } from "@belfry/client";
import type { ReactNode } from "react";
import { countNames, join } from "../../data/count-names.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

/** The tasks and groups that notify a channel, before it is deleted. */
export function NotifiedBy({ channel }: { readonly channel: NotificationChannel }): ReactNode {
  const { client } = useSession();
  const { data } = useRead(
    ["notified-by", channel.id],
    async (signal): Promise<readonly string[]> => {
      const page = await client.notificationAssignments.ofChannel(channel.id, { limit: 100 }, { signal });
      const isMore = page.next_cursor !== null;
      const namesOf = (scope: "task" | "group"): readonly string[] =>
        page.assignments.filter((each) => each.scope === scope).map(({ name }) => name);
      return [countNames(namesOf("task"), "task", isMore), countNames(namesOf("group"), "group", isMore)].filter(
        (text) => text !== null,
      );
    },
    { kinds: ["notification_assignment", "task", "group"] },
  );
  if (data === null) return <p>Looking for what notifies it …</p>;
  if (data.length === 0) return <p>No task and no group notifies {channel.name}.</p>;
  const isOne = data.length === 1 && data[0]!.startsWith("1 ");
  return (
    <p>
      {join(data)} {isOne ? "notifies" : "notify"} {channel.name}, and {isOne ? "stops" : "stop"} doing so.
    </p>
  );
}
