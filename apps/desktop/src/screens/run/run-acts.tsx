import type { Run } from "@belfry/client";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { ChangeProblem } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { cancelText, mayCancel } from "./run-words.ts";

/** The one act: cancel while the run is there, and rerun once it has ended. */
export function RunAct({ run }: { readonly run: Run }): ReactNode {
  const { may } = useGrant();
  const { client } = useSession();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"cancel" | "rerun" | null>(null);
  const task = useRead(["task", run.task_id], (signal) => client.tasks.get(run.task_id, { signal }), {
    kinds: ["task"],
    isWanted: asked === "cancel",
  });
  const cancel = useChange(
    () => client.runs.cancel(run.id),
    () => setAsked(null),
  );
  const rerun = useChange(
    () => client.runs.rerun(run.id),
    ({ id }) => {
      setAsked(null);
      void navigate({ to: "/runs/$runId", params: { runId: id }, search: {} });
    },
  );
  const isCancel = mayCancel(run);
  const ask = (): void => {
    cancel.reset();
    rerun.reset();
    setAsked(isCancel ? "cancel" : "rerun");
  };
  useKeys(
    may("operate")
      ? [isCancel ? { key: "c", text: "Cancel the run", act: ask } : { key: "r", text: "Run the task again", act: ask }]
      : [],
  );
  if (!may("operate")) return null;
  const close = (): void => setAsked(null);
  return (
    <>
      <Button look={isCancel ? "danger" : "primary"} onClick={ask}>
        {run.state === "cancelling" ? "Kill now" : isCancel ? "Cancel" : "Rerun"}
      </Button>
      <Confirm
        title="Cancel the run?"
        act={run.state === "cancelling" ? "Send SIGKILL" : "Cancel the run"}
        isDanger
        isOpen={asked === "cancel"}
        onClose={close}
        isBusy={cancel.isPending}
        problem={<ChangeProblem change={cancel} />}
        onConfirm={() => cancel.run()}
      >
        <p>{cancelText(run, task.data?.kill_grace ?? null)}</p>
        {run.state !== "queued" && run.state !== "cancelling" && (
          <p className="text-muted">A second cancel does not wait for the grace period.</p>
        )}
      </Confirm>
      <Confirm
        title="Run it again?"
        act="Run"
        isOpen={asked === "rerun"}
        onClose={close}
        isBusy={rerun.isPending}
        problem={<ChangeProblem change={rerun} />}
        onConfirm={() => rerun.run()}
      >
        <p>{run.task_name} runs now, with the definition that it has today. The new run has a page of its own.</p>
      </Confirm>
    </>
  );
}
