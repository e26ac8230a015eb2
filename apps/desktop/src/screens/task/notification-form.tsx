import type { NotificationAssignmentsReplace } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { SelectField } from "../../components/fields.tsx";
import { ChangeProblem, Shown } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

type Assignment = NotificationAssignmentsReplace["assignments"][number];
const choices = { none: "Nothing", failure: "Failures", success: "Successes", both: "Every end" } as const;
type Choice = keyof typeof choices;

/** The task's own notifications. Without any, those of its group apply. */
export function NotificationForm({
  taskId,
  onDone,
}: {
  readonly taskId: string;
  readonly onDone: () => void;
}): ReactNode {
  const { client } = useSession();
  const own = useRead(
    ["notifications", "own", taskId],
    (signal) => client.notificationAssignments.ofTask(taskId, { signal }),
    { kinds: [] },
  );
  const channels = useRead(
    ["channels", "names"],
    (signal) => client.notificationChannels.list({ limit: 500 }, { signal }),
    { kinds: ["notification_channel"] },
  );
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>({});
  const save = useChange((assignments: Assignment[], revision: number) => {
    const options = { ifMatch: revision };
    return client.notificationAssignments.replaceOfTask(taskId, { assignments }, options);
  }, onDone);
  return (
    <Shown read={own}>
      {({ assignments, revision }) => {
        const current = (id: string): Choice =>
          chosen[id] ?? choiceOf(assignments.find((one) => one.channel_id === id));
        const all = channels.data?.notification_channels ?? [];
        return (
          <form
            className="flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              save.run(
                all.flatMap(({ id }) => assignmentOf(id, current(id))),
                revision,
              );
            }}
          >
            <p className="text-muted">If nothing is chosen here, what the task&apos;s group says applies.</p>
            {all.length === 0 && (
              <p>
                There is no channel yet.{" "}
                <Link to="/channels/new" className="link">
                  Add one
                </Link>{" "}
                first.
              </p>
            )}
            {all.map(({ id, name }) => (
              <SelectField
                key={id}
                label={name}
                value={current(id)}
                onChange={(event) => setChosen({ ...chosen, [id]: event.target.value as Choice })}
              >
                {Object.entries(choices).map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </SelectField>
            ))}
            <ChangeProblem change={save} />
            <div className="flex justify-end gap-2">
              <Button onClick={onDone}>Cancel</Button>
              <Button
                type="submit"
                look="primary"
                isBusy={save.isPending}
                disabled={all.length === 0 || save.mayBeDone}
              >
                Save
              </Button>
            </div>
          </form>
        );
      }}
    </Shown>
  );
}

function choiceOf(assignment: Assignment | undefined): Choice {
  if (assignment === undefined) return "none";
  if (assignment.on_failure && assignment.on_success) return "both";
  return assignment.on_failure ? "failure" : "success";
}

function assignmentOf(id: string, choice: Choice): readonly Assignment[] {
  if (choice === "none") return [];
  return [{ channel_id: id, on_failure: choice !== "success", on_success: choice !== "failure" }];
}
