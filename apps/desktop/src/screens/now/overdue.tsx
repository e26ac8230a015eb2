import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { Status } from "../../components/status.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import { Time } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

/** Tasks without a success for longer than they expect. There is nothing where all is well. */
export function Overdue(): ReactNode {
  const { client } = useSession();
  const { data } = useRead(
    ["tasks", "overdue"],
    (signal) => client.tasks.list({ overdue: true, limit: 50 }, { signal }),
    { kinds: ["task", "run"], everyMs: 60_000 },
  );
  if (data === null || data.tasks.length === 0) return null;
  return (
    <Section title={`Overdue (${data.tasks.length})`}>
      <ul className="flex flex-col">
        {data.tasks.map(({ id, name, group_name, last_success_at, expect_success_within }) => (
          <li key={id} className="flex min-h-8 items-center gap-x-3 border-b max-sm:flex-wrap max-sm:py-1">
            <Status kind="attention">Overdue</Status>
            <TaskLink id={id} name={name} group={group_name} />
            <span className="text-muted sm:ml-auto max-sm:w-full">
              last success <Time at={last_success_at} empty="never" />, expected every {expect_success_within}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
