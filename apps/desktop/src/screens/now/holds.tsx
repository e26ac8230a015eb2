import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import type { Hold } from "@belfry/client";

const causes = {
  requested: "",
  restored: "This data was restored from a backup. If the original still runs, its tasks would run twice.",
  moved: "This data came from another machine. If the original still runs, its tasks would run twice.",
} as const;

/** Everything that is held, with a way to release it. */
export function Holds(): ReactNode {
  const { client } = useSession();
  const { may } = useGrant();
  const { data } = useRead(["holds"], (signal) => client.holds.list({}, { signal }), { kinds: ["hold"] });
  const [asked, setAsked] = useState<Hold | null>(null);
  const release = useChange(
    ({ group_id, cause }: Hold) => client.holds.release({ group_id, cause }),
    () => setAsked(null),
  );
  if (data === null || data.holds.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 rounded-sm border border-attention p-2">
      {data.holds.map((hold) => (
        <li key={hold.id} className="flex min-h-8 flex-wrap items-center gap-3">
          <Status kind="attention">Held</Status>
          <span className="min-w-0 flex-1">
            {hold.group_name === null ? "No task starts." : `No task in ${hold.group_name} starts.`}{" "}
            {causes[hold.cause]} {hold.reason !== null && `“${hold.reason}”`}{" "}
            {hold.until !== null && (
              <>
                Ends <Time at={hold.until} />.
              </>
            )}
          </span>
          {may("manage") && <Button onClick={() => setAsked(hold)}>Release</Button>}
        </li>
      ))}
      <ConfirmChange
        title="Release the hold?"
        act="Release"
        isDanger={false}
        subject={asked}
        change={release}
        onClose={() => setAsked(null)}
      >
        {({ group_name, cause }) => (
          <>
            <p>
              Tasks start again {group_name === null ? "everywhere" : `in ${group_name}`}: those that wait, at once.
            </p>
            {causes[cause] !== "" && <p className="text-attention">{causes[cause]}</p>}
          </>
        )}
      </ConfirmChange>
    </ul>
  );
}
