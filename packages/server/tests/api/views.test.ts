import {
  audienceOf,
  FilesystemWatcher,
  Group,
  isCapabilityEnough,
  type Operation,
  Run,
  Task,
  type Viewer,
} from "@belfry/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { until } from "@belfry/test-kit";
import { fresh, makeGroup } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { sampleOf, localOperations } from "../support/call.ts";
import type { Answer } from "../support/harness.ts";
import { markersForLocal, markersForManage, plantingIn, plantInRuns } from "../support/planted.ts";
import { writeConfig } from "../support/remote.ts";
import { refusals } from "../support/refused-samples.ts";
import type { Sample } from "../support/sample-makers.ts";

/*
 * What callers see of resources. A marker is in every member that not every caller sees. A new operation is covered as
 * soon as `samples.ts` has a valid request for it.
 */
let app: TestApplication;
const published: string[] = [];
beforeAll(async () => {
  app = plantingIn(await openTestApplication({ canRun: true }));
  app.hub.subscribe(null, {
    write: (frames) => {
      for (const frame of frames) if ("shared" in frame) published.push(String(frame.shared));
      return true;
    },
    end: () => {},
  });
});
afterAll(() => app?.[Symbol.asyncDispose]());

const all = localOperations;
const transports = ["local", "remote"] as const;
const viewers = transports.flatMap((transport) =>
  (["observe", "operate", "manage"] as const).map((capability) => ({ capability, transport })),
);

function hiddenFrom({ capability, transport }: Viewer): readonly string[] {
  return [
    ...(isCapabilityEnough(capability, "manage") ? [] : markersForManage),
    ...(transport === "local" ? [] : markersForLocal),
  ];
}

function expectClean(answer: Answer, viewer: Viewer): void {
  const text = answer.text + JSON.stringify(answer.headers);
  expect(hiddenFrom(viewer).filter((marker) => text.includes(marker))).toEqual([]);
}

/** Prepares a request as the local actor, and sends it as this viewer. */
async function callAs(viewer: Viewer, operation: Operation, make: () => Promise<Sample>): Promise<Answer> {
  app.actAs("enroll");
  // an earlier sample may have left a configuration that no call can change
  writeConfig(app, "");
  const sample = await make();
  plantInRuns(app);
  const send = (): Promise<Answer> =>
    app.call(operation.method.toUpperCase(), sample.path, sample.body, { "Idempotency-Key": key, ...sample.headers });
  const key = fresh("key");
  app.actAs(viewer.capability, viewer.transport);
  const answer = await send();
  expectClean(answer, viewer);
  if (operation.replayedBy === undefined || answer.status > 299) return answer;
  plantInRuns(app);
  const replay = await send();
  expect(replay.headers["idempotent-replay"]).toBe("true");
  expectClean(replay, viewer);
  return answer;
}

/** Calls `visit` for each object in an answer whose schema is known. */
function visitObjects(schema: z.ZodType, value: unknown, visit: (schema: z.ZodObject, value: object) => void): void {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return visitObjects(schema.unwrap() as z.ZodType, value, visit);
  if (schema instanceof z.ZodUnion) {
    const option = schema.options.find((one) => z.safeParse(one, value).success);
    if (option !== undefined) visitObjects(option as z.ZodType, value, visit);
  }
  if (schema instanceof z.ZodArray)
    for (const item of value as readonly unknown[]) visitObjects(schema.element as z.ZodType, item, visit);
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || value === null) return;
  visit(schema, value);
  for (const [name, member] of Object.entries(schema.shape))
    if (name in value) visitObjects(member as z.ZodType, (value as Record<string, unknown>)[name], visit);
}

function isSeenBy({ capability, transport }: Viewer, member: z.ZodType): boolean {
  const audience = audienceOf(member);
  if (audience === null) return true;
  return "capability" in audience ? isCapabilityEnough(capability, audience.capability) : transport === "local";
}

/** Whether the markers make the body one that only local callers may send. */
function hasRefusedBody({ transport }: Viewer, { localMembers }: Operation): boolean {
  return transport === "remote" && localMembers !== undefined;
}

/** Members that need not be there for those who may see them. */
const mayBeAbsent = new Set(["pattern"]);

describe.each(viewers)("as $capability, $transport", (viewer) => {
  const served = all.filter(({ transports: of }) => of.some((one) => one === viewer.transport));

  test.each(served.map((operation) => ({ id: operation.id, operation })))(
    "$id shows what this caller may see, and nothing else",
    async ({ operation }) => {
      const answer = await callAs(viewer, operation, () => sampleOf(app, operation));
      if (!isCapabilityEnough(viewer.capability, operation.capability)) return expect(answer.status).toBe(403);
      if (!hasRefusedBody(viewer, operation)) expect(answer.status, answer.text).toBeLessThan(300);
      if (operation.response.kind !== "json" || answer.status > 299) return;
      visitObjects(operation.response.schema, answer.json, (schema, value) => {
        for (const [name, member] of Object.entries(schema.shape)) {
          const isShown = isSeenBy(viewer, member as z.ZodType);
          if (isShown && (mayBeAbsent.has(name) || audienceOf(member as z.ZodType) === null)) continue;
          expect(name in value, `${name} in the answer`).toBe(isShown);
        }
      });
    },
  );

  const refused = served.flatMap((operation) =>
    Object.entries(refusals[operation.id as keyof typeof refusals])
      // a full queue takes a thousand runs, and its error is the same for every caller
      .filter(([code]) => code !== "trigger_dispatch_unavailable")
      .map(([code, make]) => ({ id: operation.id, operation, code, make: make as (api: TestApplication) => Sample })),
  );
  test.each(refused)("$id: $code names nothing that this caller may not see", async ({ operation, code, make }) => {
    const answer = await callAs(viewer, operation, async () => make(app));
    const isAllowed = isCapabilityEnough(viewer.capability, operation.capability);
    // some markers are members that no remote body may have
    const allowed = hasRefusedBody(viewer, operation) ? [code, "validation_failed"] : [code];
    expect(isAllowed ? allowed : ["forbidden"]).toContain(answer.json.error.code);
  });

  test("no search finds a resource by what this caller may not see", async () => {
    app.actAs(viewer.capability, viewer.transport);
    const searched = served.filter(
      ({ query, capability }) => "q" in (query?.shape ?? {}) && isCapabilityEnough(viewer.capability, capability),
    );
    expect(searched.length).toBeGreaterThan(3);
    for (const { id, path } of searched) {
      const period = id === "timeline.get" ? "&from=2026-03-01T00:00:00Z&until=2026-03-02T00:00:00Z" : "";
      for (const marker of hiddenFrom(viewer)) {
        const { json } = await app.call("GET", `/v1${path}?q=${encodeURIComponent(marker)}${period}`);
        expect(Object.values(json).find(Array.isArray), path).toEqual([]);
      }
    }
  });
});

test("a local manager sees every marker, so each was planted", async () => {
  const texts: string[] = [];
  app.actAs("enroll");
  await makeGroup(app);
  for (const id of ["tasks.get", "groups.get", "runs.get", "watchers.get"] as const) {
    const operation = all.find((one) => one.id === id)!;
    const { text } = await callAs({ capability: "manage", transport: "local" }, operation, () =>
      sampleOf(app, operation),
    );
    texts.push(text);
  }
  const unseen = [...markersForManage, ...markersForLocal].filter((marker) => !texts.join("\n").includes(marker));
  expect(unseen).toEqual([]);
});

test("events show what the least of their readers may see", async () => {
  app.actAs("enroll");
  const last = await makeGroup(app);
  await until("the last event", () => published.some((text) => text.includes(last.id)));
  const kinds = ["task", "group", "run", "filesystem_watcher"];
  for (const kind of kinds)
    expect(
      published.some((text) => text.includes(`"kind":"${kind}"`)),
      kind,
    ).toBe(true);
  const text = published.join("\n");
  expect([...markersForManage, ...markersForLocal].filter((marker) => text.includes(marker))).toEqual([]);
});

/** The members that every caller sees. A new member is marked in the contract, or added here after some thought. */
const shownToAll: readonly (readonly [string, z.ZodObject, string])[] = [
  [
    "Task",
    Task,
    `id name description group_id group_name lifecycle enabled has_standard_input timeout kill_grace leftovers retry on_lost priority
    concurrency success_exit_codes output expect_success_within overdue last_success_at last_run recent_outcomes usual_duration_ms next_run_at retention labels readiness reason created_at updated_at revision`,
  ],
  [
    "Group",
    Group,
    "id name parent_id enabled max_concurrent_runs time_zone description created_at updated_at revision",
  ],
  [
    "Run",
    Run,
    `id task_id task_name group_id group_name state outcome reason reason_text exit_code signal attempt attempts_max
    trigger source_schedule_id source_chain_id source_trigger_id source_watcher_id source_task_id source_run_id
    scheduled_for queued_at started_at ended_at duration_ms coalesced coalesced_from output waiting`,
  ],
  [
    "FilesystemWatcher",
    FilesystemWatcher,
    `id name kind recursive debounce stability max_wait on_start target_task_id target_task_name enabled health readiness
    reason created_at updated_at revision`,
  ],
];
test.each(shownToAll)("every caller sees exactly these members of %s", (_, schema, names) => {
  const unmarked = Object.entries(schema.shape).filter(([, member]) => audienceOf(member as z.ZodType) === null);
  expect(unmarked.map(([name]) => name)).toEqual(names.split(/\s+/));
});

test("no filter of a list is a member that some callers do not see", () => {
  for (const { query, response } of all) {
    const hidden: string[] = [];
    if (response.kind !== "json" || query === undefined) continue;
    z.toJSONSchema(response.schema, {
      io: "input",
      override: ({ zodSchema, path }) => {
        if (audienceOf(zodSchema as unknown as z.ZodType) !== null) hidden.push(String(path.at(-1)));
      },
    });
    expect(Object.keys(query.shape).filter((name) => hidden.includes(name))).toEqual([]);
  }
});
