import { capabilities, type Capability, isCapabilityEnough, type Operation } from "@belfry/contract";
import { ManualClock, until } from "@belfry/test-kit";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { auditRowsOf, endOf, everything } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { expectRefusal, sampleOf, localOperations } from "../support/call.ts";
import { makeCaller, type TestCaller } from "../support/callers.ts";
import type { Sample } from "../support/sample-makers.ts";

const all = localOperations;
const dayMs = 86_400_000;

function callAs(app: TestApplication, operation: Operation, { path, body, headers }: Sample, more: object = {}) {
  return app.call(operation.method.toUpperCase(), path, body, { ...headers, ...more });
}

/** Calls as an actor with a row and a credential, on the transport that has every operation and every member. */
async function callLocallyAs(app: TestApplication, operation: Operation, sample: Sample, { identity }: TestCaller) {
  app.identifyAs({ ...identity, transport: "local" });
  const answer = await callAs(app, operation, sample);
  app.identifyAs(null);
  return answer;
}

/** The rows that a refused call must not change. */
function rowsOf(app: TestApplication) {
  return everything(app, ["audit_events"]);
}

describe.each(capabilities.map((held) => ({ held })))("an actor with the capability $held", ({ held }) => {
  test("may call exactly the operations whose descriptor requires no more", async () => {
    await using app = await openTestApplication({ canRun: true });
    /** Makes a caller for each call, because a reset of the manifest revokes every credential. */
    const call = async (operation: Operation) => {
      const caller = await makeCaller(app, { capability: held });
      const sample = await sampleOf(app, operation);
      const before = rowsOf(app);
      const answer = await callLocallyAs(app, operation, sample, caller);
      return { sample, answer, isUnchanged: isDeepStrictEqual(rowsOf(app), before) };
    };
    for (const operation of all) {
      if (isCapabilityEnough(held, operation.capability)) {
        const { answer } = await call(operation);
        expect(answer.status, `${operation.id} ${answer.text}`).toBeLessThan(300);
        if (operation.id === "runs.rerun") await endOf(app, answer.json.id);
        continue;
      }
      // a run that a former call has begun may be recorded meanwhile; a call that changed something would do so each time
      await until(`a denied ${operation.id} without a change`, async () => {
        const { sample, answer, isUnchanged } = await call(operation);
        expectRefusal(answer, "forbidden", null);
        const resource_id = operation.path.includes("{id}") ? idIn(sample.path) : null;
        expect(auditRowsOf(app, answer)).toMatchObject([{ operation: operation.id, result: "denied", resource_id }]);
        return isUnchanged;
      });
    }
  });
});

test("a denied call leaves the id of its path in the trail, and no other text of the caller", async () => {
  await using app = await openTestApplication();
  const texts = [
    "tsk_0000000000000000000",
    "tsk_000000000000000000000",
    "Nightly%20backup",
    "tsk_00000000000000000000x",
  ];
  for (const path of [...texts, "tsk_0000000000%0A000000000"]) {
    // another actor each time, because identical denials have one row
    const caller = await makeCaller(app, { capability: "observe" });
    app.identifyAs({ ...caller.identity, transport: "local" });
    const answer = await app.call("DELETE", `/v1/tasks/${path}`);
    app.identifyAs(null);
    expectRefusal(answer, "forbidden", null);
    expect(auditRowsOf(app, answer)).toMatchObject([{ result: "denied", resource_id: null }]);
  }
});

/** The id in the path of a call. */
function idIn(path: string): string {
  return /[a-z]{3}_[0-9A-Za-z]{20}/.exec(path)![0];
}

interface Standing {
  readonly state: string;
  readonly code: "forbidden" | "credential_revoked" | "unauthorized";
  /** Brings an actor with `enroll` into the state. */
  readonly bring: (app: TestApplication, caller: TestCaller, clock: ManualClock) => unknown;
}

const patch = (app: TestApplication, { actor }: TestCaller, body: object) =>
  app.call("PATCH", `/v1/access/actors/${actor.id}`, body);

const standings: readonly Standing[] = [
  { state: "disabled", code: "forbidden", bring: (app, caller) => patch(app, caller, { state: "disabled" }) },
  {
    state: "revoked",
    code: "credential_revoked",
    bring: (app, { actor }) => app.call("POST", `/v1/access/actors/${actor.id}/revoke`),
  },
  {
    state: "expired",
    code: "unauthorized",
    bring: async (app, caller, clock) => {
      await patch(app, caller, { expires_at: new Date(clock.now() + dayMs).toISOString() });
      clock.jump(dayMs);
    },
  },
];

describe.each(standings)("an actor with enroll that is $state", ({ state, code, bring }) => {
  test("may call no operation, and a call changes nothing", async () => {
    const clock = new ManualClock();
    await using app = await openTestApplication({ clock, canRun: true });
    const caller = await makeCaller(app);
    const samples = new Map<Operation, Sample>();
    for (const operation of all) samples.set(operation, await sampleOf(app, operation));
    await bring(app, caller, clock);
    expect((await app.call("GET", `/v1/access/actors/${caller.actor.id}`)).json.state).toBe(state);
    const before = rowsOf(app);
    for (const [operation, sample] of samples) {
      const answer = await callAs(app, operation, sample, caller.headers);
      expectRefusal(answer, code, null);
      expect(answer.headers["www-authenticate"]).toBe(code === "forbidden" ? undefined : "Bearer");
      // the same if the transport identified the caller before the change
      app.identifyAs(caller.identity);
      const late = await callAs(app, operation, sample);
      app.identifyAs(null);
      expectRefusal(late, code, null);
      // the token of a disabled actor is valid, so its first call is recorded; the identical late one is not
      const [recorded, other] = code === "forbidden" ? [answer, late] : [late, answer];
      expect(auditRowsOf(app, recorded), operation.id).toMatchObject([{ operation: operation.id, result: "denied" }]);
      expect(auditRowsOf(app, other), operation.id).toEqual([]);
    }
    expect(rowsOf(app)).toEqual(before);
    expect(samples.size).toBe(all.length);
  });
});

/** The columns that say what runs. */
const whatRuns = [
  "SELECT id, command_json, run_as, working_directory, environment_names_json, hex(environment_sealed), hex(standard_input_sealed) FROM tasks ORDER BY id",
  "SELECT id, environment_names_json, hex(environment_sealed) FROM groups ORDER BY id",
];
const members = {
  command: { kind: "exec", program: "planted" },
  environment: { PLANTED: "1" },
  working_directory: "/planted",
  standard_input: "planted",
  run_as: "planted",
};

test.each(["observe", "operate"] as const)("a caller with %s can never change what runs", async (held: Capability) => {
  await using app = await openTestApplication({ canRun: true });
  const caller = await makeCaller(app, { capability: held });
  const read = () => whatRuns.map((text) => app.sqlite.prepare(text).all());
  for (const operation of all.filter(({ kind }) => kind === "write")) {
    const sample = await sampleOf(app, operation);
    const before = read();
    await callAs(app, operation, sample, caller.headers);
    await callLocallyAs(app, operation, sample, caller);
    for (const [name, value] of Object.entries(members)) {
      const body = { ...(sample.body as object | undefined), [name]: value };
      const answer = await callLocallyAs(app, operation, { ...sample, body }, caller);
      // a body that the operation does not have is ignored
      if (operation.body !== undefined) expect([400, 403], `${operation.id} ${name}`).toContain(answer.status);
    }
    expect(read(), operation.id).toEqual(before);
  }
});
