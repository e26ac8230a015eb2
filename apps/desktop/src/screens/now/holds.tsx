import type { Hold } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Rows } from "../../components/rows.tsx";
import { WaitingRows } from "../../components/show-new.tsx";
import { Status } from "../../components/status.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { newestOf } from "../../data/draft.ts";
import { useGrant } from "../../data/grant.ts";
import { useHolds } from "../../data/holds.ts";
import { useSession } from "../../data/session.tsx";
import { Unread } from "./unread.tsx";

const causes = {
  requested: "",
  restored: "This data was restored from a backup. If the original still runs, its tasks would run twice.",
  moved: "This data came from another machine. If the original still runs, its tasks would run twice.",
} as const;

/** Everything that is held, with a way to release it. */
export function Holds(): ReactNode {
  const { client } = useSession();
  const { data } = useHolds();
  const [asked, setAsked] = useState<Hold | null>(null);
  const release = useChange(
    ({ group_id, cause }: Hold) => client.holds.release({ group_id, cause }),
    () => setAsked(null),
  );
  return (
    <>
      <HoldList onRelease={setAsked} />
      {/* not in the list, which goes away with its last hold, also while the answer of a release is unknown */}
      <ConfirmChange
        title="Release the hold?"
        act="Release"
        isDanger={false}
        subject={asked === null ? null : newestOf(asked, data ?? [])}
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
    </>
  );
}

function HoldList({ onRelease }: { readonly onRelease: (hold: Hold) => void }): ReactNode {
  const { may } = useGrant();
  const read = useHolds();
  const steady = useSteadyRows(read.data, { idOf, question: "holds" });
  if (steady.rows.length === 0)
    return (
      <>
        <Unread read={read} title="Holds" />
        <WaitingRows of={steady} what="new hold" />
      </>
    );
  return (
    <div className="rounded-sm border border-attention p-2">
      <Unread read={read} />
      <Rows
        steady={steady}
        idOf={idOf}
        className="flex flex-col gap-1"
        rowClassName="flex min-h-8 flex-wrap items-center gap-3"
      >
        {(hold, isGone) => (
          <>
            {isGone ? <Status kind="off">Released</Status> : <Status kind="attention">Held</Status>}
            <span className="min-w-0 flex-1">
              {hold.group_name === null ? "No task starts." : `No task in ${hold.group_name} starts.`}{" "}
              {causes[hold.cause]} {hold.reason !== null && `“${hold.reason}”`}{" "}
              {hold.until !== null && (
                <>
                  Ends <Time at={hold.until} />.
                </>
              )}
            </span>
            {may("manage") && !isGone && <Button onClick={() => onRelease(hold)}>Release</Button>}
          </>
        )}
      </Rows>
    </div>
  );
}

const idOf = ({ id }: Hold): string => id;
