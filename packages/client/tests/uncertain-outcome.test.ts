import { catalogue, type OperationId } from "@belfry/contract";
import { describe, expect, test } from "vitest";
import { isUncertainOutcomeError, type UncertainOutcomeError } from "../src/index.ts";
import { everyMethod } from "./every-method.ts";
import { type FakeDaemon, fakeDaemon, type Reply, type Seen } from "./fake-daemon.ts";

const cut: Reply = (response) => void response.destroy();
const mutations = catalogue.filter((operation) => operation.kind === "write");
const keyed = mutations.filter((operation) => "replayedBy" in operation).map(({ id }) => id);
const unkeyed = mutations.flatMap((operation) => ("replayedBy" in operation ? [] : [operation.id]));
const used = (operation: OperationId | null): Reply => ({
  json: { used: operation !== null, operation, resource_id: null, at: null },
});

/** The answers of a read with the change in effect, and without it. */
const shows: Readonly<Record<(typeof unkeyed)[number], { readonly done: Reply; readonly undone: Reply }>> = {
  "manifest.update": states({ display_name: "Attic" }, { display_name: "Belfry" }),
  "manifest.reset": states({ installation_id: "ins_other" }, { installation_id: "ins_4fzH1TqWb8YkV0c2LxNd" }),
  "groups.update": states({ name: "Copies" }, { name: "Backups" }),
  "groups.delete": gone(),
  "groups.enable": states({ enabled: true }, { enabled: false }),
  "groups.disable": states({ enabled: false }, { enabled: true }),
  "holds.place": states({ holds: [{ group_id: null, reason: "Upgrade", until: null }] }, { holds: [] }),
  "holds.release": states({ holds: [] }, { holds: [{ group_id: null }] }),
  "tasks.update": states({ timeout: "30m" }, { timeout: null }),
  "tasks.delete": gone(),
  "tasks.enable": states({ enabled: true }, { enabled: false }),
  "tasks.disable": states({ enabled: false }, { enabled: true }),
  "tasks.archive": states({ lifecycle: "archived" }, { lifecycle: "active" }),
  "tasks.restore": states({ lifecycle: "active" }, { lifecycle: "archived" }),
  "schedules.update": states({ every: "2h" }, { every: "1h" }),
  "schedules.delete": gone(),
  "schedules.enable": states({ enabled: true }, { enabled: false }),
  "schedules.disable": states({ enabled: false }, { enabled: true }),
  "schedules.pause": states({ paused: true, paused_until: null }, { paused: false, paused_until: null }),
  "schedules.resume": states({ paused: false }, { paused: true }),
  "triggers.update": states({ name: "Copies" }, { name: "Backups" }),
  "triggers.delete": gone(),
  "triggers.enable": states({ enabled: true }, { enabled: false }),
  "triggers.disable": states({ enabled: false }, { enabled: true }),
  "triggers.rotate": states({}, {}),
  "trigger_sets.update": states({ name: "Copies" }, { name: "Backups" }),
  "trigger_sets.delete": gone(),
  "trigger_sets.enable": states({ member_count: 3, enabled_count: 3 }, { member_count: 3, enabled_count: 2 }),
  "trigger_sets.disable": states({ member_count: 3, enabled_count: 0 }, { member_count: 3, enabled_count: 1 }),
  "trigger_sets.rotate": states({}, {}),
  "watchers.update": states({ debounce: "2s" }, { debounce: "500ms" }),
  "watchers.delete": gone(),
  "watchers.enable": states({ enabled: true }, { enabled: false }),
  "watchers.disable": states({ enabled: false }, { enabled: true }),
  "chains.update": states({ delay: "5m" }, { delay: "0s" }),
  "chains.delete": gone(),
  "notification_channels.update": states({ name: "Day shift" }, { name: "On call" }),
  "notification_channels.delete": gone(),
  "notification_channels.enable": states({ enabled: true }, { enabled: false }),
  "notification_channels.disable": states({ enabled: false }, { enabled: true }),
  "notification_channels.rotate": states({ has_authorization: false }, { has_authorization: true }),
  "notification_assignments.replace_of_task": states({ assignments: [] }, { assignments: [{}] }),
  "notification_assignments.replace_of_group": states({ assignments: [] }, { assignments: [{}] }),
  "actors.update": states({ capability: "operate" }, { capability: "observe" }),
  "actors.revoke": states({ state: "revoked" }, { state: "active" }),
  "credentials.revoke": states({ state: "revoked" }, { state: "active" }),
  "pairings.create": states({}, {}),
  "pairings.delete": gone(),
  "access.enroll": states({}, {}),
  "remote.enable": states({ enabled: true, port: 7443 }, { enabled: true, port: 8443 }),
  "remote.disable": states({ enabled: false }, { enabled: true }),
  // an answer does not show which call made the certificate
  "remote.renew": states({ enabled: true }, { enabled: true }),
  "runs.cancel": states({ state: "cancelled" }, { state: "running" }),
};

describe("settle() finds the outcome by reading only", () => {
  test.each(keyed)("%s by its idempotency key", async (id) => {
    // the daemon reports only the key's last use, and each operation has its own keys
    for (const [operation, settlement] of [
      [id, "committed"],
      [null, "not_committed"],
      [keyed.find((other) => other !== id)!, "unknown"],
    ] as const) {
      await using daemon = await losing((seen) => (seen.path.startsWith("/idempotency/") ? used(operation) : null));
      const lost = await lose(daemon, id);
      expect(await lost.settle()).toBe(settlement);
      expect(daemon.seen.at(-1)?.path).toBe(`/idempotency/${lost.idempotencyKey}`);
      expectReadsAfterFirst(daemon);
    }
  });

  test.each(unkeyed)("%s by the state of its resource", async (id) => {
    for (const [state, settlement] of [
      // a resource does not show a replaced key, another identity may be older than the reset, and nobody knows the id of
      // what was created
      [
        "done",
        /^(trigger.*\.rotate|manifest\.reset|remote\.renew|pairings\.create|access\.enroll)$/.test(id)
          ? "unknown"
          : "committed",
      ],
      [
        "undone",
        /(\.update|^trigger.*\.rotate|^remote\.renew|pairings\.create|access\.enroll)$/.test(id)
          ? "unknown"
          : "not_committed",
      ],
    ] as const) {
      await using daemon = await losing((seen) => (seen.method === "GET" ? shows[id][state] : null), id);
      const lost = await lose(daemon, id);
      expect(lost.idempotencyKey).toBeNull();
      expect(await lost.settle()).toBe(settlement);
      expectReadsAfterFirst(daemon);
    }
  });

  test.each([
    ["queued", "not_committed"],
    ["dispatching", "not_committed"],
    ["running", "not_committed"],
    // another caller may have cancelled the run
    ["cancelling", "unknown"],
    ["cancelled", "committed"],
    // the run may have ended before the cancel took effect
    ["succeeded", "unknown"],
    ["failed", "unknown"],
    ["skipped", "not_committed"],
  ] as const)("the cancel of a run that is now %s: %s", async (state, settlement) => {
    await using daemon = await losing((seen) => (seen.method === "GET" ? { json: { state } } : null));
    expect(await (await lose(daemon, "runs.cancel")).settle()).toBe(settlement);
  });

  test("the outcome stays unknown while the daemon cannot be reached", async () => {
    await using daemon = await losing((seen) => (seen.method === "GET" ? cut : null));
    const lost = await lose(daemon, "tasks.create");
    expect(await lost.settle()).toBe("unknown");
  });
});

describe("a deliberate retry", () => {
  test("sends the same key and body, and returns the answer of the call", async () => {
    let isUp = false;
    await using daemon = await losing((seen) =>
      isUp && seen.method === "POST" ? { status: 201, json: { id: "tsk_1" } } : null,
    );
    const lost = await lose(daemon, "tasks.create");
    isUp = true;
    expect(await lost.retry()).toEqual({ id: "tsk_1" });
    const [first, second] = daemon.seen;
    expect(second).toMatchObject({ method: "POST", path: "/tasks", body: first?.body });
    expect(first?.headers["idempotency-key"]).toBe(lost.idempotencyKey);
    expect(second?.headers["idempotency-key"]).toBe(lost.idempotencyKey);
  });

  test("keeps ifMatch, and drops the aborted signal", async () => {
    await using daemon = await losing(() => null);
    const controller = new AbortController();
    const first = daemon.connect().tasks.enable("tsk_1", { ifMatch: 4, signal: controller.signal });
    const lost: unknown = await first.catch((error: unknown) => error);
    controller.abort();
    if (!isUncertainOutcomeError(lost)) throw lost;
    await expect(lost.retry()).rejects.toMatchObject({ name: "UncertainOutcomeError" });
    expect(daemon.seen.map((seen) => seen.headers["if-match"])).toEqual(['"4"', '"4"']);
  });
});

/** A daemon that cuts mutations without an answer. If `id` is a manifest operation, only the first read of the manifest is the check. */
function losing(answer: (seen: Seen) => Reply | null, id: OperationId = "tasks.create"): Promise<FakeDaemon> {
  let manifestReads = 0;
  return fakeDaemon((seen) => {
    const isCheck =
      seen.method === "GET" && seen.path === "/manifest" && (!id.startsWith("manifest.") || manifestReads++ === 0);
    if (isCheck) return null;
    return answer(seen) ?? cut;
  });
}

async function lose(daemon: FakeDaemon, id: (typeof mutations)[number]["id"]): Promise<UncertainOutcomeError> {
  const error: unknown = await everyMethod[id](daemon.connect()).then(null, (reason: unknown) => reason);
  if (!isUncertainOutcomeError(error)) throw new Error(`${id} had an answer`, { cause: error });
  return error;
}

function expectReadsAfterFirst(daemon: FakeDaemon): void {
  expect(daemon.seen.slice(1).every((seen) => seen.method === "GET")).toBe(true);
}

function states(done: object, undone: object) {
  return { done: { json: { revision: 2, ...done } }, undone: { json: { revision: 2, ...undone } } };
}

function gone() {
  const missing = { status: 404, json: { error: { code: "not_found", field: null, message: "gone" } } };
  return { done: missing, undone: { json: { revision: 2 } } };
}
