import { type Chain, type ChainGraph as ChainGraphAnswer, eventKindsOf, type Task } from "@belfry/client";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { ChangeForm } from "../../components/change-form.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { Shown } from "../../components/states.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { TaskLink } from "../../components/task-link.tsx";
import { TaskPicker } from "../../components/task-picker.tsx";
import { useChange } from "../../data/change.ts";
import { fieldError } from "../../data/errors.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

const ChainGraph = lazy(() => import("./chain-graph.tsx").then(({ ChainGraph: graph }) => ({ default: graph })));
const idOf = ({ id }: Chain): string => id;
const outcomes = { success: "succeeds", failure: "fails", any: "ends" } as const;

/** From the first task on. */
function inOrder({ tasks, chains }: ChainGraphAnswer): readonly Chain[] {
  const levels = new Map(tasks.map(({ task_id: id, level }) => [id, level]));
  const levelOf = (id: string): number => levels.get(id) ?? 0;
  return chains.toSorted((a, b) => levelOf(a.source_task_id) - levelOf(b.source_task_id));
}

/** What this task starts when it ends, and what starts it. */
export function Chains({ task }: { readonly task: Task }): ReactNode {
  const { client } = useSession();
  const { may } = useGrant();
  const read = useRead(["chains", task.id], (signal) => client.chains.graph({ task_id: task.id }, { signal }), {
    kinds: eventKindsOf("chains"),
  });
  const chains = useMemo(() => (read.data === null ? null : inOrder(read.data)), [read.data]);
  const steady = useSteadyRows(chains, { idOf, question: task.id });
  const [isAdding, setIsAdding] = useState(false);
  const [asked, setAsked] = useState<Chain | null>(null);
  const remove = useChange(
    ({ id, revision }: Chain) => client.chains.delete(id, { ifMatch: revision }),
    () => setAsked(null),
  );
  useKeys([may("manage") ? { text: "Add a chain", act: () => setIsAdding(true) } : null]);
  return (
    <Section title="Chains" act={may("manage") && <Button onClick={() => setIsAdding(true)}>Add a chain</Button>}>
      <Shown read={read}>
        {(graph) => (
          <>
            <Rows
              steady={steady}
              idOf={idOf}
              empty={<p className="text-muted">No other task starts this one, and it starts no other.</p>}
              rowClassName="flex min-h-8 flex-wrap items-center gap-x-1 border-b py-1 sm:py-0"
            >
              {(chain, isGone) => (
                <>
                  When <TaskLink id={chain.source_task_id} name={chain.source_task_name} />
                  {outcomes[chain.on_outcome]}, <TaskLink id={chain.target_task_id} name={chain.target_task_name} />
                  starts{chain.delay === "0ms" || chain.delay === "0s" ? "" : ` after ${chain.delay}`}.
                  {isGone ? "Removed" : !chain.enabled && <span className="text-muted">Disabled</span>}
                  {may("manage") && !isGone && (
                    <Button
                      look="quiet"
                      className="ml-auto"
                      aria-label={`Remove the chain from ${chain.source_task_name} to ${chain.target_task_name}`}
                      onClick={() => setAsked(chain)}
                    >
                      Remove
                    </Button>
                  )}
                </>
              )}
            </Rows>
            {graph.chains.length > 0 && (
              <Suspense fallback={<div className="skeleton h-64" />}>
                <ChainGraph graph={graph} taskId={task.id} />
              </Suspense>
            )}
          </>
        )}
      </Shown>
      <ConfirmChange
        title="Remove the chain?"
        act="Remove"
        subject={asked}
        change={remove}
        onClose={() => setAsked(null)}
      >
        {({ source_task_name, target_task_name }) => (
          <p>
            {source_task_name} no longer starts {target_task_name}. Both tasks stay.
          </p>
        )}
      </ConfirmChange>
      <Dialog title="Add a chain" isOpen={isAdding} onClose={() => setIsAdding(false)}>
        <ChainForm task={task} onDone={() => setIsAdding(false)} />
      </Dialog>
    </Section>
  );
}

function ChainForm({ task, onDone }: { readonly task: Task; readonly onDone: () => void }): ReactNode {
  const { client } = useSession();
  const [targetId, setTargetId] = useState("");
  const [outcome, setOutcome] = useState<keyof typeof outcomes>("success");
  const [delay, setDelay] = useState("");
  const create = useChange(
    () =>
      client.chains.create({
        source_task_id: task.id,
        target_task_id: targetId,
        on_outcome: outcome,
        ...(delay.trim() === "" ? {} : { delay: delay.trim() as `${number}s` }),
      }),
    onDone,
  );
  const error = create.state.is === "failed" ? create.state.error : null;
  return (
    <ChangeForm
      change={create}
      act="Add"
      isComplete={targetId !== ""}
      fields={["target_task_id", "delay"]}
      onCancel={onDone}
    >
      <SelectField
        label={`When ${task.name}`}
        value={outcome}
        onChange={(event) => setOutcome(event.target.value as keyof typeof outcomes)}
      >
        {Object.entries(outcomes).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </SelectField>
      <TaskPicker
        label="Task to start"
        value={targetId}
        onChange={setTargetId}
        error={fieldError(error, "target_task_id")}
      />
      <TextField
        label="Delay (optional)"
        placeholder="5m"
        value={delay}
        onChange={(event) => setDelay(event.target.value)}
        error={fieldError(error, "delay")}
      />
    </ChangeForm>
  );
}
