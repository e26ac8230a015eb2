import { instantPattern } from "./instant-pattern.ts";
import { webhookEvents, webhookOutcomes, webhookSchemaId } from "./payload.ts";

/** The first error of a payload, for a message. It contains no value of the payload. */
export interface Violation {
  /** Dotted path of the member; empty for the payload itself. */
  readonly field: string;
  readonly problem: string;
}

type Check = (value: unknown, field: string) => Violation | null;

const instantForm = new RegExp(instantPattern);

const text = must("must be a non-empty string", (value) => typeof value === "string" && value !== "");
const integer = must("must be a whole number", Number.isSafeInteger);
const count = must(
  "must be a whole number, 0 or greater",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
const instant = must(
  "must be a time in UTC, for example 2026-11-21T01:18:00.123Z",
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
 * Checks a value from `JSON.parse` against the published schema. Written by hand: a tenth of the size of a generated
 * validator, with readable messages. A property test compares it with the schema.
 */
export function findViolation(value: unknown): Violation | null {
  const violation = checkEnvelope(value, "");
  if (violation !== null) return violation;
  return (value as { event: unknown }).event === "test" ? null : checkRunCompleted(value, "");
}

function must(problem: string, holds: (value: unknown) => boolean): Check {
  return (value, field) => (holds(value) ? null : { field, problem });
}

function oneOf(values: readonly string[]): Check {
  return must(`must be "${values.join('" or "')}"`, (value) => values.some((each) => each === value));
}

/** Checks own members only, so a prototype cannot supply one. Unknown members are allowed. */
function members(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const checks = Object.entries({ ...required, ...optional });
  return (value, field) => {
    if (!isObject(value)) return { field, problem: "must be an object" };
    for (const [name, check] of checks) {
      const path = field === "" ? name : `${field}.${name}`;
      const violation = Object.hasOwn(value, name)
        ? check(value[name], path)
        : name in required
          ? { field: path, problem: "is missing" }
          : null;
      if (violation !== null) return violation;
    }
    return null;
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
