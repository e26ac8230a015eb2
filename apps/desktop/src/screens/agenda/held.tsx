import type { Hold } from "@belfry/client";
import type { ReactNode } from "react";
import { PartProblem } from "../../components/part-problem.tsx";
import { Rows } from "../../components/rows.tsx";
import { WaitingRows } from "../../components/show-new.tsx";
import { Status } from "../../components/status.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { Time } from "../../components/time.tsx";
import { useHolds } from "../../data/holds.ts";

/** Holds do not change the plan, but nothing that they cover starts. */
export function Held(): ReactNode {
  const read = useHolds();
  const steady = useSteadyRows(read.data, { idOf, question: "holds" });
  return (
    <>
      <PartProblem read={read} title="Holds" />
      {steady.rows.length === 0 ? (
        <WaitingRows of={steady} what="new hold" />
      ) : (
        <Rows
          steady={steady}
          idOf={idOf}
          className="flex flex-col gap-2"
          rowClassName="flex flex-wrap items-center gap-x-3 rounded-sm border border-attention px-3 py-1"
        >
          {({ group_name, until }, isGone) => (
            <>
              {isGone ? <Status kind="off">Released</Status> : <Status kind="attention">Held</Status>}
              <span>
                {group_name === null ? "No task starts" : `No task in ${group_name} starts`}
                {until === null ? " until the hold is released" : <Until at={until} />}. These times stay in the plan.
              </span>
            </>
          )}
        </Rows>
      )}
    </>
  );
}

const idOf = ({ id }: Hold): string => id;

function Until({ at }: { readonly at: string }): ReactNode {
  return (
    <>
      {" "}
      until the hold ends <Time at={at} />
    </>
  );
}
