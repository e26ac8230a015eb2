import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { everything } from "../support/api.ts";
import { type TestApplication, openTestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { made2xx, makeGroup, makeTask } from "../support/tasks.ts";
import { assign, listDeliveries, makeChannel } from "../support/channels.ts";
import { endRun } from "../support/runs.ts";

const depthMax = 16;
const channelCount = 4;

type Wish = readonly [channel: number, onSuccess: boolean, onFailure: boolean];

interface Tree {
  /** For each group, the index of its parent among the earlier groups, or -1. */
  readonly parents: readonly number[];
  readonly ofGroups: readonly (readonly Wish[])[];
  readonly tasks: readonly { readonly group: number; readonly wishes: readonly Wish[]; readonly exitCode: number }[];
  readonly disabled: readonly boolean[];
}

const wishes: fc.Arbitrary<readonly Wish[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 3,
    arbitrary: fc.uniqueArray(
      fc
        .tuple(fc.nat(channelCount - 1), fc.constantFrom([true, false], [false, true], [true, true]))
        .map(([channel, [onSuccess, onFailure]]): Wish => [channel, onSuccess, onFailure]),
      { selector: ([channel]) => channel, maxLength: channelCount },
    ),
  },
);

/** Most groups have the previous one as parent, so that trees grow as deep as is allowed. */
const trees: fc.Arbitrary<Tree> = fc.integer({ min: 1, max: 22 }).chain((count) =>
  fc.record({
    parents: fc
      .array(
        fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 30 }) }),
        { minLength: count, maxLength: count },
      )
      .map(boundDepth),
    ofGroups: fc.array(wishes, { minLength: count, maxLength: count }),
    tasks: fc.array(
      fc.record({ group: fc.integer({ min: -1, max: count - 1 }), wishes, exitCode: fc.constantFrom(0, 1) }),
      { minLength: 1, maxLength: 4 },
    ),
    disabled: fc.array(fc.boolean(), { minLength: channelCount, maxLength: channelCount }),
  }),
);

function boundDepth(steps: readonly number[]): readonly number[] {
  const depths: number[] = [];
  return steps.map((step, index) => {
    const wanted = step === 0 ? -1 : index - step;
    const parent = wanted >= 0 && depths[wanted]! < depthMax ? wanted : -1;
    depths.push(parent < 0 ? 1 : depths[parent]! + 1);
    return parent;
  });
}

/** The contract's rules again, bottom-up and without regard for speed. */
function oracle(
  tree: Tree,
  task: Tree["tasks"][number],
): { readonly source: number | "task" | null; readonly wishes: readonly Wish[] } {
  const candidates: {
    readonly distance: number;
    readonly source: number | "task";
    readonly wishes: readonly Wish[];
  }[] = [{ distance: 0, source: "task", wishes: task.wishes }];
  for (let group = task.group, distance = 1; group >= 0; group = tree.parents[group]!, distance++)
    candidates.push({ distance, source: group, wishes: tree.ofGroups[group]! });
  const configured = candidates.filter((each) => each.wishes.length > 0);
  return configured.sort((a, b) => a.distance - b.distance)[0] ?? { source: null, wishes: [] };
}

async function plant(app: TestApplication, tree: Tree) {
  const channels: Json[] = [];
  for (const isDisabled of tree.disabled)
    channels.push(await makeChannel(app, "http://127.0.0.1:9/", { enabled: !isDisabled }));
  const asked = (of: readonly Wish[]) => of.map(([channel, ...flags]) => [channels[channel], ...flags] as const);
  const groups: Json[] = [];
  for (const [index, parent] of tree.parents.entries()) {
    const group = await makeGroup(app, parent < 0 ? {} : { parent_id: groups[parent].id });
    groups.push(group);
    await assign(app, `groups/${group.id}`, asked(tree.ofGroups[index]!));
  }
  const tasks: Json[] = [];
  for (const task of tree.tasks) {
    const made = await makeTask(app, "true", task.group < 0 ? {} : { group_id: groups[task.group].id });
    tasks.push(made);
    // set first and then cleared: an empty list equals no list
    if (task.wishes.length === 0) await assign(app, `tasks/${made.id}`, [[channels[0], true, true]]);
    await assign(app, `tasks/${made.id}`, asked(task.wishes));
  }
  return { channels, groups, tasks };
}

test("in any tree one scope supplies the complete policy, and each end notifies exactly the enabled channels of that policy", async () => {
  let deepest = 0;
  let delivered = 0;
  await fc.assert(
    fc.asyncProperty(trees, async (tree) => {
      await using app = await openTestApplication();
      const { channels, groups, tasks } = await plant(app, tree);
      for (const [index, plan] of tree.tasks.entries()) {
        const task = tasks[index];
        const expected = oracle(tree, plan);
        const effective = await made2xx(app.call("GET", `/v1/tasks/${task.id}/notifications/effective`));
        expect(effective.source).toEqual(
          expected.source === null
            ? null
            : expected.source === "task"
              ? { scope: "task", id: task.id, name: task.name }
              : { scope: "group", id: groups[expected.source].id, name: groups[expected.source].name },
        );
        expect(effective.assignments).toEqual(
          expected.wishes.map(([channel, on_success, on_failure]) => ({
            channel_id: channels[channel].id,
            on_success,
            on_failure,
          })),
        );
        const run = await endRun(app, task.id, { exitCode: plan.exitCode });
        const notified = (await listDeliveries(app, `run_id=${run.id}`)).map(({ channel_id: id }) => id as string);
        const wanted = expected.wishes
          .filter(
            ([channel, onSuccess, onFailure]) =>
              !tree.disabled[channel] && (plan.exitCode === 0 ? onSuccess : onFailure),
          )
          .map(([channel]) => channels[channel].id as string);
        expect(notified.toSorted()).toEqual(wanted.toSorted());
        delivered += notified.length;
      }
      deepest = Math.max(deepest, ...tree.parents.map((_, group) => depthOf(tree, group)));
    }),
    { numRuns: 60 },
  );
  expect(deepest).toBe(depthMax);
  expect(delivered).toBeGreaterThan(50);
});

function depthOf(tree: Tree, group: number): number {
  return group < 0 ? 0 : 1 + depthOf(tree, tree.parents[group]!);
}

test("a replacement is applied completely or not at all, and the revision of a scope counts its changes", async () => {
  await using app = await openTestApplication();
  const task = await makeTask(app, "true");
  const [a, b] = [await makeChannel(app, "http://127.0.0.1:9/"), await makeChannel(app, "http://127.0.0.1:9/")];
  const own = `/v1/tasks/${task.id}/notifications`;
  const wish = (channel: Json, on_success = true, on_failure = true) => ({
    channel_id: channel.id,
    on_success,
    on_failure,
  });
  expect((await app.call("GET", own)).json).toEqual({ assignments: [], revision: 1 });
  expect((await app.call("PUT", own, { assignments: [] })).json.revision).toBe(1);
  const set = await app.call("PUT", own, { assignments: [wish(b), wish(a, false)] });
  expect(set.json).toEqual({ assignments: [wish(b), wish(a, false)], revision: 2 });
  expect((await app.call("GET", own)).headers["etag"]).toBe('"2"');
  expect((await app.call("PUT", own, { assignments: [wish(b), wish(a, false)] })).json.revision).toBe(2);

  const before = everything(app, ["audit_events"]);
  for (const [assignments, code, field] of [
    [[wish(a), wish(b), wish(a, false)], "validation_failed", "assignments.2.channel_id"],
    [[wish(a), wish(b, false, false)], "validation_failed", "assignments.1.on_success"],
    [[wish(a), wish({ id: "nch_00000000000000000000" })], "not_found", "assignments.1.channel_id"],
    [[{ channel_id: a.id, on_success: true }], "validation_failed", "assignments.0.on_failure"],
  ] as const) {
    const { json } = await app.call("PUT", own, { assignments });
    expect([json.error.code, json.error.field]).toEqual([code, field]);
  }
  expect((await app.call("PUT", own, { assignments: [] }, { "if-match": '"1"' })).status).toBe(412);
  expect(everything(app, ["audit_events"])).toEqual(before);
  expect((await app.call("PUT", own, { assignments: [] }, { "if-match": '"2"' })).json).toEqual({
    assignments: [],
    revision: 3,
  });
});

test("assignments are deleted with their task or group", async () => {
  await using app = await openTestApplication();
  const channel = await makeChannel(app, "http://127.0.0.1:9/");
  const [task, group] = [await makeTask(app, "true"), await makeGroup(app)];
  await assign(app, `tasks/${task.id}`, [[channel, true, true]]);
  await assign(app, `groups/${group.id}`, [[channel, true, true]]);
  await app.call("DELETE", `/v1/tasks/${task.id}`);
  await app.call("DELETE", `/v1/groups/${group.id}`);
  for (const table of ["notification_scopes", "notification_assignments"])
    expect(app.sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
});
