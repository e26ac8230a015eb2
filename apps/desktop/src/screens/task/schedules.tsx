import { eventKindsOf, type Schedule, type Task } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { type Act, MoreMenu } from "../../components/menu.tsx";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { ChangeProblem, Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { cronWords } from "../../data/cron-words.ts";
import { newestOf } from "../../data/draft.ts";
import { useGrant } from "../../data/grant.ts";
import { useZone } from "../../data/preferences.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { Month } from "./month.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { definitionOf, hasOwnName } from "./timing.ts";

const idOf = ({ id }: Schedule): string => id;

/** When the task runs: each schedule, and a month of its times. */
export function Schedules({ task }: { readonly task: Task }): ReactNode {
  const { client } = useSession();
  const { may } = useGrant();
  const read = useRead(
    ["schedules", task.id],
    (signal) => client.schedules.list({ task_id: task.id, limit: 100 }, { signal }),
    { kinds: eventKindsOf("schedules") },
  );
  const steady = useSteadyRows(read.data?.schedules ?? null, {
    idOf,
    question: task.id,
    isCut: read.data !== null && read.data.next_cursor !== null,
  });
  const [edited, setEdited] = useState<Schedule | "new" | null>(null);
  const [asked, setAsked] = useState<Schedule | null>(null);
  const turn = useChange(({ id, enabled, paused }: Schedule, kind: "switch" | "pause") => {
    if (kind === "switch") return enabled ? client.schedules.disable(id) : client.schedules.enable(id);
    return paused ? client.schedules.resume(id) : client.schedules.pause(id, {});
  });
  const remove = useChange(
    ({ id, revision }: Schedule) => client.schedules.delete(id, { ifMatch: revision }),
    () => setAsked(null),
  );
  const actsOf = (schedule: Schedule): readonly (Act | null)[] => [
    may("manage") ? { label: "Edit", onSelect: () => setEdited(schedule) } : null,
    may("operate")
      ? { label: schedule.paused ? "Resume" : "Pause", onSelect: () => turn.run(schedule, "pause") }
      : null,
    may("operate")
      ? { label: schedule.enabled ? "Disable" : "Enable", onSelect: () => turn.run(schedule, "switch") }
      : null,
    may("manage") ? { label: "Delete", isDanger: true, onSelect: () => setAsked(schedule) } : null,
  ];
  useKeys([may("manage") ? { text: "Add a schedule", act: () => setEdited("new") } : null]);
  return (
    <Section title="Schedules" act={may("manage") && <Button onClick={() => setEdited("new")}>Add a schedule</Button>}>
      <ChangeProblem change={turn} />
      <Shown read={read}>
        {({ schedules }) => (
          <>
            <Rows
              steady={steady}
              idOf={idOf}
              empty={<p className="text-muted">No schedule starts this task.</p>}
              rowClassName="flex min-h-8 flex-wrap items-center gap-x-4 border-b py-1"
            >
              {(schedule, isGone) => (
                <>
                  {isGone ? <Status kind="off">Deleted</Status> : <ScheduleState schedule={schedule} />}
                  <ScheduleTimes schedule={schedule} />
                  <span className="ml-auto">
                    {schedule.next_run_at === null || isGone ? (
                      <span className="text-muted">no next run</span>
                    ) : (
                      <>
                        next <Time at={schedule.next_run_at} />
                      </>
                    )}
                  </span>
                  {!isGone && <MoreMenu of={schedule.name} acts={actsOf(schedule)} />}
                </>
              )}
            </Rows>
            {schedules.length > 0 && <Month schedules={schedules} />}
          </>
        )}
      </Shown>
      <Dialog
        title={edited === "new" ? "Add a schedule" : "Edit the schedule"}
        isOpen={edited !== null}
        onClose={() => setEdited(null)}
      >
        {edited !== null && (
          <ScheduleForm
            taskId={task.id}
            schedule={edited === "new" ? null : newestOf(edited, read.data?.schedules ?? null)}
            onDone={() => setEdited(null)}
          />
        )}
      </Dialog>
      <ConfirmChange
        title="Delete the schedule?"
        act="Delete"
        subject={asked}
        change={remove}
        onClose={() => setAsked(null)}
      >
        {({ name }) => <p>{name} no longer starts the task. The runs that it started stay in the history.</p>}
      </ConfirmChange>
    </Section>
  );
}

function ScheduleState({ schedule: { enabled, paused } }: { readonly schedule: Schedule }): ReactNode {
  if (!enabled) return <Status kind="off">Disabled</Status>;
  return paused ? <Status kind="attention">Paused</Status> : <Status kind="success">On</Status>;
}

/** The name, if the schedule has one of its own, and the times: in words too, if the expression has a short form. */
function ScheduleTimes({ schedule }: { readonly schedule: Schedule }): ReactNode {
  const definition = definitionOf(schedule, useZone());
  const words = schedule.kind === "cron" ? cronWords(definition) : null;
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      {hasOwnName(schedule) && <span className="font-medium">{schedule.name}</span>}
      {words !== null && <span>{words}</span>}
      <code className={words === null ? undefined : "text-muted"}>{definition}</code>
      {schedule.kind === "cron" && <span className="text-muted">{schedule.effective_time_zone}</span>}
    </span>
  );
}
