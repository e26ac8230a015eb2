import { eventKindsOf } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { WaitingRows } from "../../components/show-new.tsx";
import { Status } from "../../components/status.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { TaskLink } from "../../components/task-link.tsx";
import { Time } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { Unread } from "./unread.tsx";

/** Tasks without a success for longer than they expect. There is nothing where all is well. */
export function Overdue(): ReactNode {
  const { client } = useSession();
  const read = useRead(["tasks", "overdue"], (signal) => client.tasks.list({ overdue: true, limit: 50 }, { signal }), {
    kinds: eventKindsOf("tasks"),
    everyMs: 60_000,
  });
  const { data } = read;
  const hasMore = data !== null && data.next_cursor !== null;
  const steady = useSteadyRows(data?.tasks ?? null, { idOf, question: "overdue", isCut: hasMore });
  if (steady.rows.length === 0)
    return (
      <>
        <Unread read={read} title="Overdue" />
        <WaitingRows of={steady} what="overdue task" />
      </>
    );
  return (
    <Section title={`Overdue (${data?.tasks.length ?? 0}${hasMore ? "+" : ""})`}>
      <Unread read={read} />
      <Rows
        steady={steady}
        idOf={idOf}
        taskOf={idOf}
        rowClassName="flex min-h-8 items-center gap-x-3 border-b max-sm:flex-wrap max-sm:py-1"
      >
        {({ id, name, group_name, last_success_at, expect_success_within }, isGone) => (
          <>
            {isGone ? <Status kind="off">Not overdue</Status> : <Status kind="attention">Overdue</Status>}
            <TaskLink id={id} name={name} group={group_name} />
            <span className="text-muted sm:ml-auto max-sm:w-full">
              last success <Time at={last_success_at} empty="never" />, expected every {expect_success_within}
            </span>
          </>
        )}
      </Rows>
      {hasMore && (
        <p>
          <Link to="/tasks" search={{ state: "overdue" }} className="link">
            and more tasks
          </Link>
        </p>
      )}
    </Section>
  );
}

const idOf = ({ id }: { readonly id: string }): string => id;
