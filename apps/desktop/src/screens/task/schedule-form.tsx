import type { Schedule, SchedulePatch } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { ChangeProblem } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { fieldError } from "../../data/errors.ts";
import { useSession } from "../../data/session.tsx";
import { definitionOf, emptyTiming, isComplete, type Timing, timingBody, timingOf, timingPatch } from "./timing.ts";
import { TimingPreview } from "./timing-preview.tsx";

export interface ScheduleFormProps {
  readonly taskId: string;
  /** The schedule to change; null for a new one. */
  readonly schedule: Schedule | null;
  readonly onDone: () => void;
}

/** What a schedule has beside its times. */
interface Rules {
  readonly name: string;
  readonly jitter: string;
  readonly missed: Schedule["misfire"]["policy"];
}

const fields = ["name", "expression", "every", "at", "time_zone", "jitter", "misfire"];

/** A new schedule of a task, or a change of one. */
export function ScheduleForm({ taskId, schedule, onDone }: ScheduleFormProps): ReactNode {
  const { client } = useSession();
  const before = schedule === null ? emptyTiming : timingOf(schedule);
  const [timing, setTiming] = useState<Timing>(before);
  const [rules, setRules] = useState<Rules>(rulesOf(schedule));
  const save = useChange(
    () =>
      schedule === null
        ? client.schedules.create({ task_id: taskId, ...timingBody(timing), ...rulesPatch(rules, null) })
        : client.schedules.update(
            schedule.id,
            { ...timingPatch(before, timing), ...rulesPatch(rules, schedule) },
            { ifMatch: schedule.revision },
          ),
    onDone,
  );
  const error = save.state.is === "failed" ? save.state.error : null;
  const isUnchanged = Object.keys(timingPatch(before, timing)).length === 0;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <TimingFields timing={timing} onChange={setTiming} error={error} isKindFixed={schedule !== null} />
      <TimingPreview timing={timing} unchanged={isUnchanged ? (schedule?.id ?? null) : null} />
      <RuleFields rules={rules} onChange={setRules} error={error} kind={timing.kind} />
      <ChangeProblem change={save} fields={fields} />
      <div className="sticky -bottom-4 -mb-4 flex justify-end gap-2 bg-raised py-3">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={save.isPending} disabled={!isComplete(timing) || save.mayBeDone}>
          {schedule === null ? "Add" : "Save"}
        </Button>
      </div>
    </form>
  );
}

function rulesOf(schedule: Schedule | null): Rules {
  const hasOwnName = schedule !== null && schedule.name !== definitionOf(schedule);
  return {
    name: hasOwnName ? schedule.name : "",
    jitter: schedule?.jitter ?? "0s",
    missed: schedule?.misfire.policy ?? "run_once",
  };
}

/** What differs from the schedule, or from the defaults of a new one. */
function rulesPatch(rules: Rules, schedule: Schedule | null): Pick<SchedulePatch, "name" | "jitter" | "misfire"> {
  const before = rulesOf(schedule);
  return {
    ...(rules.name === before.name ? {} : { name: rules.name.trim() }),
    ...(rules.jitter === before.jitter ? {} : { jitter: rules.jitter.trim() as Schedule["jitter"] }),
    ...(rules.missed === before.missed ? {} : { misfire: { ...schedule?.misfire, policy: rules.missed } }),
  };
}

interface RuleFieldsProps {
  readonly rules: Rules;
  readonly onChange: (rules: Rules) => void;
  readonly error: unknown;
  readonly kind: Timing["kind"];
}

function RuleFields({ rules, onChange, error, kind }: RuleFieldsProps): ReactNode {
  const set = (change: Partial<Rules>): void => onChange({ ...rules, ...change });
  return (
    <>
      <TextField
        label="Name (optional)"
        value={rules.name}
        onChange={(event) => set({ name: event.target.value })}
        error={fieldError(error, "name")}
        hint="Without one, the schedule is named after its times."
      />
      {kind !== "boot" && (
        <>
          <SelectField
            label="Missed times"
            value={rules.missed}
            onChange={(event) => set({ missed: event.target.value as Rules["missed"] })}
            error={fieldError(error, "misfire")}
            hint="Times at which the machine slept or the daemon was stopped."
          >
            <option value="run_once">One run for all of them</option>
            <option value="run_all">One run for each</option>
            <option value="skip">No run</option>
          </SelectField>
          <TextField
            label="Random delay"
            value={rules.jitter}
            onChange={(event) => set({ jitter: event.target.value })}
            error={fieldError(error, "jitter")}
            hint="Each run starts up to this much later, such as 30s; 0s for none."
          />
        </>
      )}
    </>
  );
}

export interface TimingFieldsProps {
  readonly timing: Timing;
  readonly onChange: (timing: Timing) => void;
  readonly error: unknown;
  /** The kind of a stored schedule stays. */
  readonly isKindFixed?: boolean;
}

/** The kind of a schedule, and what it needs. */
export function TimingFields({ timing, onChange, error, isKindFixed = false }: TimingFieldsProps): ReactNode {
  const set = (change: Partial<Timing>): void => onChange({ ...timing, ...change });
  return (
    <>
      <SelectField
        label="Kind"
        value={timing.kind}
        disabled={isKindFixed}
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
          step="1"
          value={timing.at}
          onChange={(event) => set({ at: event.target.value })}
          error={fieldError(error, "at")}
          hint="In the time zone of this computer."
        />
      )}
    </>
  );
}
