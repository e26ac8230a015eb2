import type { Schedule, Task } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Confirm, Dialog } from "../../components/dialog.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Section } from "../../components/page.tsx";
import { ChangeProblem, Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { Month } from "./month.tsx";
import { ScheduleForm } from "./schedule-form.tsx";

/** When the task runs: each schedule, and a month of its times. */
export function Schedules({ task }: { readonly task: Task }): ReactNode {
  const { client } = useSession();
  const { may } = useGrant();
  const read = useRead(
    ["schedules", task.id],
    (signal) => client.schedules.list({ task_id: task.id, limit: 100 }, { signal }),
    { kinds: ["schedule", "task"] },
  );
  const [isAdding, setIsAdding] = useState(false);
  const [asked, setAsked] = useState<Schedule | null>(null);
  const turn = useChange(({ id, enabled, paused }: Schedule, kind: "switch" | "pause") => {
    if (kind === "switch") return enabled ? client.schedules.disable(id) : client.schedules.enable(id);
    return paused ? client.schedules.resume(id) : client.schedules.pause(id, {});
  });
  const remove = useChange(
    ({ id, revision }: Schedule) => client.schedules.delete(id, { ifMatch: revision }),
    () => setAsked(null),
  );
  return (
    <Section title="Schedules" act={may("manage") && <Button onClick={() => setIsAdding(true)}>Add a schedule</Button>}>
      <ChangeProblem change={turn} />
      <Shown read={read}>
        {({ schedules }) =>
          schedules.length === 0 ? (
            <p className="text-muted">No schedule starts this task.</p>
          ) : (
            <>
              <ul>
                {schedules.map((schedule) => (
                  <li key={schedule.id} className="flex min-h-8 flex-wrap items-center gap-x-4 border-b py-1">
                    <ScheduleState schedule={schedule} />
                    <span className="font-medium">{schedule.name}</span>
                    <code>{timingOf(schedule)}</code>
                    <span className="text-muted">{schedule.kind === "cron" && schedule.effective_time_zone}</span>
                    <span className="ml-auto">
                      {schedule.next_run_at === null ? (
                        <span className="text-muted">no next run</span>
                      ) : (
                        <>
                          next <Time at={schedule.next_run_at} />
                        </>
                      )}
                    </span>
                    <MoreMenu
                      label="Acts"
                      acts={[
                        may("operate")
                          ? { label: schedule.paused ? "Resume" : "Pause", onSelect: () => turn.run(schedule, "pause") }
                          : null,
                        may("operate")
                          ? {
                              label: schedule.enabled ? "Disable" : "Enable",
                              onSelect: () => turn.run(schedule, "switch"),
                            }
                          : null,
                        may("manage") ? { label: "Delete", isDanger: true, onSelect: () => setAsked(schedule) } : null,
                      ]}
                    />
                  </li>
                ))}
              </ul>
              <Month schedules={schedules} />
            </>
          )
        }
      </Shown>
      <Dialog title="Add a schedule" isOpen={isAdding} onClose={() => setIsAdding(false)}>
        <ScheduleForm taskId={task.id} onDone={() => setIsAdding(false)} />
      </Dialog>
      <Confirm
        title="Delete the schedule?"
        act="Delete"
        isDanger
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        isBusy={remove.isPending}
        problem={<ChangeProblem change={remove} />}
        onConfirm={() => asked !== null && remove.run(asked)}
      >
        <p>{asked?.name} no longer starts the task. The runs that it started stay in the history.</p>
      </Confirm>
    </Section>
  );
}

function ScheduleState({ schedule: { enabled, paused } }: { readonly schedule: Schedule }): ReactNode {
  if (!enabled) return <Status kind="off">Disabled</Status>;
  return paused ? <Status kind="attention">Paused</Status> : <Status kind="success">On</Status>;
}

function timingOf({ kind, expression, every, at }: Schedule): string {
  if (kind === "cron") return expression ?? "";
  if (kind === "interval") return `every ${every}`;
  return kind === "once" ? `once at ${at}` : "at each boot";
}
