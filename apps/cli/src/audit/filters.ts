import type { AuditQuery } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import type { Host } from "../host.ts";
import { auditResults } from "../choices.ts";
import { usage } from "../failure.ts";
import { findActor } from "../find/actor.ts";
import { isIdOf } from "../find/find.ts";
import { readTime } from "../input/time.ts";
import { oneOf, text, type ValuesOf } from "../options.ts";
import { withoutUndefined } from "../without-undefined.ts";

/** The options that select records, for every command that reads the audit trail. */
export const filterOptions = {
  operation: text("--operation <operation>", "only records of this operation, for example tasks.update"),
  actor: text("--actor <actor>", "only records of calls by this actor: its name or id"),
  resource: text("--resource <id>", "only records of this resource, for example a task: its id"),
  result: oneOf("--result <result>", "only records with this result", { choices: auditResults }),
  since: text("--since <time>", 'only records since this time, for example 2h, yesterday or "2026-12-01 03:00"'),
  until: text("--until <time>", "only records before this time"),
};

/** Reads the filters before the client is opened, so that a mistake in one is found without a daemon. */
export async function readFilters(
  options: ValuesOf<typeof filterOptions>,
  host: Host,
): Promise<(client: AnyClient) => Promise<AuditQuery>> {
  const read = (time: string | undefined, option: string) =>
    time === undefined ? undefined : readTime(time, { nowMs: host.now(), direction: "past", option });
  const query = withoutUndefined({
    operation: options.operation === undefined ? undefined : await requireKnown(options.operation),
    resource_id: options.resource === undefined ? undefined : requireId(options.resource),
    result: options.result,
    since: read(options.since, "--since"),
    until: read(options.until, "--until"),
  });
  const { actor } = options;
  return async (client) => (actor === undefined ? query : { ...query, actor_id: await findActorId(client, actor) });
}

/** The descriptors of all operations take time to load, and few calls need them. */
async function requireKnown(operation: string): Promise<string> {
  const { requireOperation } = await import("./operation-name.ts");
  return requireOperation(operation);
}

function requireId(typed: string): string {
  if (/^[a-z]{3}_[0-9A-Za-z]{20}$/.test(typed)) return typed;
  throw usage(
    `--resource must be an id such as tsk_4fzH1TqWb8YkV0c2LxNd, not ${JSON.stringify(typed)}`,
    "The id of a task, for example, is in: belfry task show <task>",
  );
}

/** The trail can name actors that the daemon no longer knows, for example after a reset. */
async function findActorId(client: AnyClient, typed: string): Promise<string> {
  return isIdOf("act", typed) ? typed : (await findActor(client, typed)).id;
}
