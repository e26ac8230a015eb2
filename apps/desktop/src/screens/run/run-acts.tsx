import type { Run } from "@belfry/client";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useTask } from "../../data/resources.ts";
import { useSession } from "../../data/session.tsx";
import { cancelText, mayCancel } from "./run-words.ts";

/** The one act: cancel while the run is there, and rerun once it has ended. */
export function RunAct({ run }: { readonly run: Run }): ReactNode {
  const { may } = useGrant();
  const { client } = useSession();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"cancel" | "rerun" | null>(null);
  const task = useTask(asked === "cancel" ? run.task_id : null);
  const cancel = useChange(
    ({ id }: Run) => client.runs.cancel(id),
    () => setAsked(null),
  );
  const rerun = useChange(
    ({ id }: Run) => client.runs.rerun(id),
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
      <ConfirmChange
        title="Cancel the run?"
        act={run.state === "cancelling" ? "Send SIGKILL" : "Cancel the run"}
        leave="Close"
        subject={asked === "cancel" ? run : null}
        change={cancel}
        onClose={close}
      >
        {(of) => (
          <>
            <p>{cancelText(of, task.data?.kill_grace ?? null)}</p>
            {of.state !== "queued" && of.state !== "cancelling" && (
              <p className="text-muted">A second cancel does not wait for the grace period.</p>
            )}
          </>
        )}
      </ConfirmChange>
      <ConfirmChange
        title="Run it again?"
        act="Run"
        isDanger={false}
        subject={asked === "rerun" ? run : null}
        change={rerun}
        onClose={close}
      >
        {({ task_name }) => (
          <p>{task_name} runs now, with the definition that it has today. The new run has a page of its own.</p>
        )}
      </ConfirmChange>
    </>
  );
}
