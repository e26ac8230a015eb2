import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { ChangeProblem } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { fieldError } from "../../data/errors.ts";
import { useSession } from "../../data/session.tsx";
import { emptyTiming, isComplete, type Timing, timingBody } from "./timing.ts";
import { TimingPreview } from "./timing-preview.tsx";

/** A new schedule of a task. */
export function ScheduleForm({ taskId, onDone }: { readonly taskId: string; readonly onDone: () => void }): ReactNode {
  const { client } = useSession();
  const [timing, setTiming] = useState<Timing>(emptyTiming);
  const create = useChange(() => client.schedules.create({ task_id: taskId, ...timingBody(timing) }), onDone);
  const error = create.state.is === "failed" ? create.state.error : null;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        create.run();
      }}
    >
      <TimingFields timing={timing} onChange={setTiming} error={error} />
      <TimingPreview timing={timing} />
      <ChangeProblem change={create} fields={["expression", "every", "at", "time_zone"]} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={create.isPending} disabled={!isComplete(timing)}>
          Add
        </Button>
      </div>
    </form>
  );
}

export interface TimingFieldsProps {
  readonly timing: Timing;
  readonly onChange: (timing: Timing) => void;
  readonly error: unknown;
}

/** The kind of a schedule, and what it needs. */
export function TimingFields({ timing, onChange, error }: TimingFieldsProps): ReactNode {
  const set = (change: Partial<Timing>): void => onChange({ ...timing, ...change });
  return (
    <>
      <SelectField
        label="Kind"
        value={timing.kind}
        onChange={(event) => set({ kind: event.target.value as Timing["kind"] })}
      >
        <option value="cron">At times of the clock (cron)</option>
        <option value="interval">At an interval</option>
        <option value="once">Once</option>
        <option value="boot">At each boot of the machine</option>
      </SelectField>
      {timing.kind === "cron" && (
        <>
          <TextField
            label="Expression"
            isMono
            placeholder="0 3 * * *"
            value={timing.expression}
            onChange={(event) => set({ expression: event.target.value })}
            error={fieldError(error, "expression")}
            hint="Minute, hour, day of the month, month, day of the week; or @daily and the like."
          />
          <TextField
            label="Time zone (optional)"
            placeholder="Europe/Berlin"
            value={timing.zone}
            onChange={(event) => set({ zone: event.target.value })}
            error={fieldError(error, "time_zone")}
            hint="Without one: the group's, or else the daemon's."
          />
        </>
      )}
      {timing.kind === "interval" && (
        <TextField
          label="Every"
          placeholder="15m"
          value={timing.every}
          onChange={(event) => set({ every: event.target.value })}
          error={fieldError(error, "every")}
          hint="A number and a unit: s, m, h or d."
        />
      )}
      {timing.kind === "once" && (
        <TextField
          label="At"
          type="datetime-local"
          value={timing.at}
          onChange={(event) => set({ at: event.target.value })}
          error={fieldError(error, "at")}
          hint="In the time zone of this computer."
        />
      )}
    </>
  );
}
