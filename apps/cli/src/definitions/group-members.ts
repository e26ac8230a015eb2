import type { AnyClient } from "../any-client.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { findGroup } from "../find/group.ts";
import type { Host } from "../host.ts";
import { readEnvironment } from "../input/environment.ts";
import type { ValuesOf } from "../options.ts";
import type { groupChanges } from "./group-options.ts";

/** The members that a new group and a change have in common. */
export async function groupMembers(values: ValuesOf<typeof groupChanges>, client: AnyClient, host: Host) {
  const hasEnvironment = values.env !== undefined || values.envFrom !== undefined;
  return withoutUndefined({
    parent_id: typeof values.parent === "string" ? (await findGroup(client, values.parent)).id : values.parent,
    max_concurrent_runs: values.limit,
    time_zone: values.tz,
    environment: hasEnvironment ? await readEnvironment(values, host) : undefined,
    description: values.description,
  });
}
