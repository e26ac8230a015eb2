import type { Client } from "@belfry/client";
import type { ReactNode } from "react";
import { PartProblem } from "../../components/part-problem.tsx";
import { Status } from "../../components/status.tsx";
import { FullTime } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

/** What the daemon can say of the trail's integrity, and the command that checks it elsewhere. */
export function Proof(): ReactNode {
  const { client } = useSession();
  const read = useRead(["audit", "chain"], (signal) => client.audit.chain({ signal }), {
    kinds: ["task", "actor"],
  });
  const { data } = read;
  // the rows below it do not move when it is known
  if (data === null && read.error === null) return <div className="skeleton h-[18px] max-w-md" />;
  return (
    <>
      <PartProblem read={read} title="Integrity" />
      {data !== null && <Words of={data} />}
    </>
  );
}

type Chain = Awaited<ReturnType<Client["audit"]["chain"]>>;

function Words({ of: data }: { readonly of: Chain }): ReactNode {
  return (
    <p className="flex flex-wrap items-center gap-x-3">
      {data.tampered_at === null ? (
        <Status kind="success">No tampering found</Status>
      ) : (
        <Status kind="failure">
          Changed by another program, found <FullTime at={data.tampered_at} />
        </Status>
      )}
      <span className="text-muted">
        {data.head === null ? "No records yet." : `${data.head.number.toLocaleString("en")} records.`}{" "}
        <code>belfry audit verify</code> checks each of them.
      </span>
    </p>
  );
}
