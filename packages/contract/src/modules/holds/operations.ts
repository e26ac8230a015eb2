import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { Hold, HoldPlace, HoldRelease } from "./schemas.ts";

const module = { resource: "hold", transports: everywhere } as const;
const write = {
  ...module,
  kind: "write",
  method: "post",
  capability: "operate",
  audited: true,
  response: { kind: "json", status: 200, schema: Hold },
  concerns: "id",
} as const;

export const holdOperations = [
  defineOperation({
    ...module,
    id: "holds.list",
    method: "get",
    path: "/holds",
    summary: "List holds, newest first; all of them unless `limit` is given",
    kind: "read",
    capability: "observe",
    audited: false,
    query: z.strictObject(pageQuery),
    response: { kind: "json", status: 200, schema: listOf("holds", Hold).meta({ id: "HoldList" }) },
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "holds.place",
    path: "/hold",
    summary: "Hold all tasks or the tasks of a group: no new run starts. A second hold changes the first",
    description:
      "Active runs continue, and their webhooks are sent. Manual runs and fires are refused. Schedules record their times as skipped, with the reason `held`. Queued runs, retries, chains and watchers wait for the release. A hold survives restarts. A hold whose cause is `restored` or `moved` takes no `until`.",
    body: HoldPlace,
    errors: ["not_found", "conflict"],
    example: { until: "2026-12-01T06:00:00Z", reason: "Database upgrade" },
  }),
  defineOperation({
    ...write,
    id: "holds.release",
    path: "/release",
    summary: "Release the hold on all tasks or on a group; answers the hold as it was",
    body: HoldRelease,
    errors: ["not_found", "conflict"],
    example: {},
  }),
] as const;
