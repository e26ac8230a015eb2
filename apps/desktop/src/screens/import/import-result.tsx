import type { ImportResult } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { Section } from "../../components/page.tsx";
import { ChangeProblem, Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import type { Change } from "../../data/change.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count } from "../../data/words.ts";

/** What was imported, what to do in cron now, and how to undo it. */
export function Imported({
  result,
  onMore,
}: {
  readonly result: ImportResult;
  readonly onMore: () => void;
}): ReactNode {
  const [group] = result.groups;
  const name = quoted(group?.name ?? "");
  return (
    <>
      <div role="status" className="flex flex-col gap-2 rounded-sm border border-success p-3">
        <Status kind="success">Imported {count(result.tasks.length, "task")}</Status>
        <p className="font-medium">
          cron still runs these jobs. Remove them from the crontab now, or each of them runs twice.
        </p>
        <div className="flex flex-wrap gap-2">
          {group !== undefined && (
            <Link
              to="/tasks"
              search={{ group: group.id }}
              className="inline-flex h-8 items-center rounded-sm border border-control px-3 hover:bg-hover"
            >
              Show the group {group.name}
            </Link>
          )}
          <Button look="quiet" onClick={onMore}>
            Import another crontab
          </Button>
        </div>
      </div>
      <Section title="Tasks">
        <ul className="flex flex-col">
          {result.tasks.map((task) => (
            <li key={task.id} className="link flex h-8 items-center border-b">
              <TaskLink id={task.id} name={task.name} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="To undo it">
        <p className="text-muted">These commands delete the tasks and their group. The runs stay in the history.</p>
        <CopyText
          text={`belfry task list --group ${name} --columns id | grep tsk_ | xargs belfry task delete\nbelfry group delete ${name}`}
        />
      </Section>
    </>
  );
}

/** The same for an import whose answer was lost, and that is known to have been done. */
export function FoundImport({
  change,
  onMore,
}: {
  readonly change: Change<never>;
  readonly onMore: () => void;
}): ReactNode {
  const { client } = useSession();
  const [isDismissed, setDismissed] = useState(false);
  const key = change.state.is === "uncertain" ? change.state.error.idempotencyKey : null;
  const read = useRead(
    ["import", "result", key],
    async (signal) => {
      const { resource_id: id } = await client.idempotency.get(key!, { signal });
      return client.import.get(id!, { signal });
    },
    { kinds: [], isWanted: key !== null },
  );
  return (
    <>
      {!isDismissed && <ChangeProblem change={{ ...change, reset: () => setDismissed(true) }} />}
      <Shown read={read}>{(result) => <Imported result={result} onMore={onMore} />}</Shown>
    </>
  );
}

/** A word of a shell. */
function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
