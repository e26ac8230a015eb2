import { invalid } from "../errors/errors.ts";
import { type Instant, parseInstant } from "./time.ts";

/** Limits a list to times at or after `since`, and before `until`. */
interface SpanQuery {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export function readSpan(query: SpanQuery): {
  readonly since: Instant | undefined;
  readonly until: Instant | undefined;
} {
  const since = query.since === undefined ? undefined : parseInstant(query.since);
  const until = query.until === undefined ? undefined : parseInstant(query.until);
  if (since !== undefined && until !== undefined && until <= since)
    throw invalid("until", "until must be later than `since`");
  return { since, until };
}
