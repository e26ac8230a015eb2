import type { Schedule } from "@belfry/client";
import type { ReactNode } from "react";
import { DraftForm } from "../../components/draft-form.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { MomentField } from "../../components/moment-field.tsx";
import { useChange } from "../../data/change.ts";
import { useDraft } from "../../data/draft.ts";
import { fieldError } from "../../data/errors.ts";
import { useZone } from "../../data/preferences.ts";
import { useSession } from "../../data/session.tsx";
import {
  createBody,
  describeDefinition,
  fieldsOf,
  missedTexts,
  patchBody,
  type ScheduleValues,
  valuesOf,
} from "./schedule-values.ts";
import { isComplete, type Timing, timingOf, timingPatch } from "./timing.ts";
import { TimingPreview } from "./timing-preview.tsx";

export interface ScheduleFormProps {
  readonly taskId: string;
  /** The schedule to change, as it is now. Null for a new one. */
  readonly schedule: Schedule | null;
  readonly onDone: () => void;
}

/** A new schedule of a task, or a change of one. */
export function ScheduleForm({ taskId, schedule, onDone }: ScheduleFormProps): ReactNode {
  const { client } = useSession();
  const zone = useZone();
  const draft = useDraft(schedule, valuesOf);
  const { base, form, set } = draft;
  const save = useChange(
    () =>
      base === null
        ? client.schedules.create(createBody(taskId, form))
        : client.schedules.update(base.id, patchBody(base, form), { ifMatch: base.revision }),
    onDone,
  );
  const error = save.state.is === "failed" ? save.state.error : null;
  const isStored = base !== null && Object.keys(timingPatch(timingOf(base), form)).length === 0;
  return (
    <DraftForm
      draft={draft}
      what="schedule"
      describe={(stored) => describeDefinition(stored, zone)}
      change={save}
      isComplete={isComplete(form) && (base === null || Object.keys(patchBody(base, form)).length > 0)}
      fields={fieldsOf(form.kind)}
      onCancel={onDone}
    >
      <TimingFields timing={form} onChange={set} error={error} isKindFixed={base !== null} />
      <TimingPreview timing={form} unchanged={isStored ? base.id : null} />
      <RuleFields values={form} onChange={set} error={error} />
    </DraftForm>
  );
}

interface RuleFieldsProps {
  readonly values: ScheduleValues;
  readonly onChange: (change: Partial<ScheduleValues>) => void;
  readonly error: unknown;
}

function RuleFields({ values: { name, kind, missed, jitter }, onChange, error }: RuleFieldsProps): ReactNode {
  return (
    <>
      <TextField
        label="Name (optional)"
        value={name}
        onChange={(event) => onChange({ name: event.target.value })}
        error={fieldError(error, "name")}
        hint="Without one, the schedule is named after its times."
      />
      {kind !== "boot" && (
        <>
          <SelectField
            label="Missed times"
            value={missed}
            onChange={(event) => onChange({ missed: event.target.value as ScheduleValues["missed"] })}
            error={fieldError(error, "misfire")}
            hint="Times at which the machine slept or the daemon was stopped."
          >
            {Object.entries(missedTexts).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Random delay"
            value={jitter}
            onChange={(event) => onChange({ jitter: event.target.value })}
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
  readonly onChange: (change: Partial<Timing>) => void;
  readonly error: unknown;
  /** The kind of a stored schedule stays. */
  readonly isKindFixed?: boolean;
}

/** The kind of a schedule, and what it needs. */
export function TimingFields({ timing, onChange: set, error, isKindFixed = false }: TimingFieldsProps): ReactNode {
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
        <MomentField
          label="At"
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
