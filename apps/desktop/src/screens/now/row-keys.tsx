import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTaskRowKeys } from "../../app/task-row-keys.ts";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Problem } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { describeReadiness } from "../../data/readiness-words.ts";
import { useTask } from "../../data/resources.ts";
import { useSession } from "../../data/session.tsx";

/** The keys for the task of a row, with the question whether to run it. */
export function RowKeys(): ReactNode {
  const { client } = useSession();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<string | null>(null);
  const read = useTask(asked);
  const task = read.data;
  const run = useChange(
    (id: string) => client.tasks.run(id),
    ({ id }) => {
      setAsked(null);
      void navigate({ to: "/runs/$runId", params: { runId: id } });
    },
  );
  useTaskRowKeys(setAsked);
  return (
    <ConfirmChange
      title={task === null ? "Run the task now?" : `Run ${task.name} now?`}
      act="Run"
      isDanger={false}
      isPossible={task?.readiness === "ready"}
      subject={asked}
      change={run}
      onClose={() => setAsked(null)}
    >
      {() => {
        if (task === null)
          return read.error === null ? <p>Reading …</p> : <Problem error={read.error} again={read.again} />;
        if (task.readiness !== "ready") return <p>{describeReadiness(task.reason).text}</p>;
        return <p>Belfry starts it now, besides its schedules.</p>;
      }}
    </ConfirmChange>
  );
}
