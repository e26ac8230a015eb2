import type { AuditQuery } from "@belfry/client";
import type { Host } from "../host.ts";
import { auditResults } from "../choices.ts";
import { readTime } from "../input/time.ts";
import { oneOf, text, type ValuesOf } from "../options.ts";
import { withoutUndefined } from "../without-undefined.ts";

/** The options that select operations, for every command that reads the audit trail. */
export const filterOptions = {
  operation: text("--operation <operation>", "only this operation, for example tasks.update"),
  actor: text("--actor <id>", "only operations by this actor (actor_id in the output of --json)"),
  result: oneOf("--result <result>", "only operations with this result", { choices: auditResults }),
  since: text("--since <time>", 'only operations since this time, for example 2h, yesterday or "2026-12-01 03:00"'),
  until: text("--until <time>", "only operations before this time"),
};

export function readFilters(options: ValuesOf<typeof filterOptions>, host: Host): AuditQuery {
  const read = (time: string | undefined, option: string) =>
    time === undefined ? undefined : readTime(time, { nowMs: host.now(), direction: "past", option });
  return withoutUndefined({
    operation: options.operation,
    actor_id: options.actor,
    result: options.result,
    since: read(options.since, "--since"),
    until: read(options.until, "--until"),
  });
}
