import type { NotificationAssignmentsReplace } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ChangeForm } from "../../components/change-form.tsx";
import { SelectField } from "../../components/fields.tsx";
import { Shown } from "../../components/states.tsx";
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
      {({ assignments, revision }) => (
        <Shown read={channels}>
          {({ notification_channels: all }) => {
            const stored = (id: string): Choice => choiceOf(assignments.find((one) => one.channel_id === id));
            const current = (id: string): Choice => chosen[id] ?? stored(id);
            const send = (): void =>
              save.run(
                all.flatMap(({ id }) => assignmentOf(id, current(id))),
                revision,
              );
            return (
              <ChangeForm
                change={{ ...save, run: send }}
                act="Save"
                isComplete={all.some(({ id }) => current(id) !== stored(id))}
                fields={[]}
                onCancel={onDone}
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
              </ChangeForm>
            );
          }}
        </Shown>
      )}
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
