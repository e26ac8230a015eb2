import { instantPattern } from "./instant-pattern.ts";
import { webhookEvents, webhookOutcomes, webhookSchemaId } from "./payload.ts";

/** What a payload lacks, for a message: never a value of it. */
export interface Complaint {
  /** Dotted path of the member at fault; empty for the payload itself. */
  readonly field: string;
  readonly problem: string;
}

type Check = (value: unknown, field: string) => Complaint | null;

const instantForm = new RegExp(instantPattern);

const text = must("must be a string that is not empty", (value) => typeof value === "string" && value !== "");
const integer = must("must be a whole number", Number.isSafeInteger);
const count = must("must be a whole number from 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const instant = must(
  "must be a time in UTC such as 2026-11-21T01:18:00.123Z",
  (value) => typeof value === "string" && instantForm.test(value),
);

const checkEnvelope = members({
  schema: oneOf([webhookSchemaId]),
  event: oneOf(webhookEvents),
  delivery: members({ id: text, created_at: instant }),
  daemon: members({ version: text }),
});

const checkRunCompleted = members({
  task: members({ id: text, name: text }, { group_id: text, group_name: text }),
  run: members(
    {
      id: text,
      outcome: oneOf(webhookOutcomes),
      trigger: text,
      scheduled_for: instant,
      started_at: instant,
      ended_at: instant,
      duration_ms: count,
    },
    { exit_code: integer },
  ),
});

/**
 * The published schema, written out: a tenth of a validator that is made from it, with messages for people. A
 * property test holds it against the schema itself. Takes what `JSON.parse` gives.
 */
export function findComplaint(value: unknown): Complaint | null {
  const complaint = checkEnvelope(value, "");
  if (complaint !== null) return complaint;
  return (value as { event: unknown }).event === "test" ? null : checkRunCompleted(value, "");
}

function must(problem: string, holds: (value: unknown) => boolean): Check {
  return (value, field) => (holds(value) ? null : { field, problem });
}

function oneOf(values: readonly string[]): Check {
  return must(`must be "${values.join('" or "')}"`, (value) => values.some((each) => each === value));
}

/** Only own members count, so that a prototype answers for nothing; unknown ones are welcome. */
function members(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const checks = Object.entries({ ...required, ...optional });
  return (value, field) => {
    if (!isObject(value)) return { field, problem: "must be an object" };
    for (const [name, check] of checks) {
      const path = field === "" ? name : `${field}.${name}`;
      const complaint = Object.hasOwn(value, name)
        ? check(value[name], path)
        : name in required
          ? { field: path, problem: "is missing" }
          : null;
      if (complaint !== null) return complaint;
    }
    return null;
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
