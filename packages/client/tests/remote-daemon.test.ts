import { tempDir, until } from "@belfry/test-kit";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDaemon } from "../../server/tests/support/harness.ts";
import { createCa } from "../../server/tests/support/certificates.ts";
import { defaultRemote, type RemoteLimits } from "../../server/src/kernel/config/remote-config.ts";
import { freePlace } from "../../server/tests/support/ports.ts";
import { startRemoteDaemon } from "../../server/tests/support/remote.ts";
import { type Client, isApiError, type OutputItem } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";
import {
  connectRemote,
  enrollRemote,
  GrantReducedError,
  IdentityError,
  monitor,
  type MonitorState,
  type RemoteClient,
  type RemoteProfile,
  TrustError,
} from "../src/remote.ts";
import { startImpostor } from "./fake-remote-daemon.ts";

type Capability = RemoteProfile["capability"];

interface Enabled extends AsyncDisposable {
  readonly local: Client;
  /** Pairs a new actor, and enrols with it. */
  readonly enroll: (capability?: Capability) => Promise<RemoteProfile>;
}

/** A real daemon whose remote API is enabled. All tests call from one address, so its limits are high. */
async function startEnabled(limits: Partial<RemoteLimits> = {}): Promise<Enabled> {
  const high = { enrollmentsPerMinute: 1_000, publicRequestsPerMinute: 1_000 };
  const daemon = await startRemoteDaemon({ limits: { ...high, ...limits } });
  const local = connectLocal({ socketPath: daemon.socketPath });
  let actors = 0;
  return {
    local,
    enroll: async (capability = "operate") => {
      const { invitation, phrase } = await local.pairings.create({ name: `Client ${++actors}`, capability });
      return enrollRemote({ invitation, phrase });
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

const connect = (profile: RemoteProfile): RemoteClient => connectRemote(profile, { delayMs: () => 0 });

let enabled: Enabled;
beforeAll(async () => {
  enabled = await startEnabled();
});
afterAll(() => enabled[Symbol.asyncDispose]());

test("a client enrols, runs a task, reads its live output, and follows events", async () => {
  const { local, enroll } = enabled;
  await using client = connect(await enroll());
  const script = "echo one; sleep 0.2; echo two";
  const task = await local.tasks.create({ name: "Report", command: { kind: "shell", script } });
  const events = client.events.subscribe({ kinds: ["run"] });
  expect((await events.next()).value).toEqual({ kind: "resync", reason: "connected" });
  const run = await client.tasks.run(task.id);
  const items: OutputItem[] = [];
  for await (const item of client.runs.output(run.id, { follow: true })) items.push(item);
  const text = items.map((item) => (item.kind === "output" ? new TextDecoder().decode(item.bytes) : "")).join("");
  expect(text).toBe("one\ntwo\n");
  expect((await events.next()).value).toMatchObject({ kind: "run", id: run.id });
  await events.return();
  expect(await client.runs.get(run.id)).toMatchObject({ outcome: "success" });
});

test("a phrase works once", async () => {
  const { local } = enabled;
  const { invitation, phrase } = await local.pairings.create({ name: "Once", capability: "observe" });
  await enrollRemote({ invitation, phrase });
  const error: unknown = await enrollRemote({ invitation, phrase }).catch((reason: unknown) => reason);
  expect(isApiError(error, "unauthorized")).toBe(true);
});

test("an operation above the capability is forbidden, and an operation of the local API alone is not found", async () => {
  await using client = connect(await enabled.enroll("observe"));
  await expect(client.tasks.create({ name: "Mine" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(client.runtimeInfo.get()).rejects.toMatchObject({ code: "not_found" });
});

test("a capability that is lowered closes the stream, and the next connection is refused", async () => {
  const { local, enroll } = enabled;
  const profile = await enroll("operate");
  await using client = connect(profile);
  const reading = (async () => {
    for await (const _ of client.events.subscribe())
      await local.actors.update(profile.actorId, { capability: "observe" });
  })();
  await expect(reading).rejects.toBeInstanceOf(GrantReducedError);
  await using fresh = connect(profile);
  await expect(fresh.tasks.list()).rejects.toMatchObject({ expected: "operate", actual: "observe" });
  await using accepting = connect({ ...profile, capability: "observe" });
  expect(await accepting.tasks.list()).toMatchObject({ tasks: expect.any(Array) });
});

describe("a monitor", () => {
  const changes: readonly (readonly [string, (local: Client, profile: RemoteProfile) => PromiseLike<unknown>])[] = [
    ["revocation", (local, profile) => local.credentials.revoke(profile.credentialId)],
    ["revocation", (local, profile) => local.actors.revoke(profile.actorId)],
    ["authorization", (local, profile) => local.actors.update(profile.actorId, { state: "disabled" })],
    ["authorization", (local, profile) => local.actors.update(profile.actorId, { capability: "observe" })],
  ];
  test.each(changes)("of a client stops with the reason %s", async (reason, change) => {
    const { local, enroll } = enabled;
    const profile = await enroll("operate");
    await using client = connect(profile);
    const states: MonitorState[] = [];
    const stopped = await monitor(client, {
      onState: (state) => {
        states.push(state);
        if (state.state === "connected") void change(local, profile);
      },
      delayMs: () => 0,
    });
    expect(stopped).toMatchObject({ reason });
    expect(states.map(({ state }) => state)).toEqual(["connecting", "connected", "waiting", "connecting", "stopped"]);
  });

  test("waits while the daemon restarts, and connects again", async () => {
    await using dir = await tempDir();
    const place = await freePlace();
    const config = { remote: { ...defaultRemote, ...place, enabled: true } };
    const start = () => startDaemon({ dataDir: dir.path, config });
    const first = await start();
    const local = connectLocal({ socketPath: first.socketPath });
    await untilListening(local);
    await using client = connect(
      await enrollRemote(await local.pairings.create({ name: "Board", capability: "observe" })),
    );
    const controller = new AbortController();
    const states: string[] = [];
    const watching = monitor(client, {
      signal: controller.signal,
      onState: ({ state }) => void states.push(state),
      delayMs: () => 20,
    });
    await until("the monitor is connected", () => states.includes("connected"));
    await first[Symbol.asyncDispose]();
    await until("the monitor waits", () => states.includes("waiting"));
    await using _second = await start();
    await until("the monitor is connected again", () => states.filter((state) => state === "connected").length === 2);
    controller.abort();
    expect(await watching).toBeNull();
  });
});

test("a renewed certificate disturbs no client, and a new root is refused by all", async () => {
  await using own = await startEnabled();
  const profile = await own.enroll();
  await using client = connect(profile);
  const events = client.events.subscribe({ kinds: ["task"], reconnect: false });
  await events.next();
  await own.local.remote.renew();
  await own.local.tasks.create({ name: "After the renewal" });
  expect((await events.next()).value).toMatchObject({ kind: "task" });
  await events.return();
  await using another = connect(profile);
  expect(await another.tasks.list()).toMatchObject({ tasks: [{ name: "After the renewal" }] });
  await own.local.remote.renew({ root: true });
  await using refused = connect(profile);
  await expect(refused.tasks.list()).rejects.toBeInstanceOf(TrustError);
});

test("a daemon with another identity at the same address is refused", async () => {
  await using own = await startEnabled();
  const profile = await own.enroll();
  const { installation_id: id } = await own.local.manifest.get();
  await own.local.manifest.reset(id);
  await using client = connect(profile);
  const error: unknown = await client.tasks.list().then(null, (reason: unknown) => reason);
  // the daemon makes a new root shortly after the reset
  expect(error instanceof TrustError || error instanceof IdentityError).toBe(true);
});

test("a neighbour behind the same address with wrong tokens keeps no client out", async () => {
  await using own = await startEnabled({ publicRequestsPerMinute: 6 });
  const profile = await own.enroll();
  await using neighbour = connect({ ...profile, accessToken: `bat_Xk3Wd8Lv_${"x".repeat(43)}` });
  const refusals = await Promise.allSettled(Array.from({ length: 20 }, () => neighbour.tasks.list()));
  const codes = refusals.map(
    (outcome) => outcome.status === "rejected" && isApiError(outcome.reason) && outcome.reason.code,
  );
  expect(new Set(codes)).toEqual(new Set(["unauthorized", "rate_limited"]));
  await using client = connect(profile);
  expect(await client.tasks.list()).toMatchObject({ tasks: [] });
});

test("a certificate from elsewhere is pinned by its key, and needs its authority", async () => {
  await using ca = await createCa();
  await using dir = await tempDir();
  const leaf = ca.issue(["DNS:board.example.com"]);
  const [certificate, key] = [join(dir.path, "leaf.pem"), join(dir.path, "leaf.key")];
  writeFileSync(certificate, leaf.cert);
  writeFileSync(key, leaf.key, { mode: 0o600 });
  await using own = await startEnabled();
  await own.local.remote.enable({ certificate, key });
  const { invitation, phrase } = await own.local.pairings.create({ name: "Board", capability: "observe" });
  await expect(enrollRemote({ invitation, phrase })).rejects.toBeInstanceOf(TrustError);
  const profile = await enrollRemote({ invitation, phrase, authority: ca.ca });
  expect(profile.trust).toMatchObject({ kind: "key", authority: ca.ca });
  await using client = connect(profile);
  expect(await client.tasks.list()).toEqual({ tasks: [], next_cursor: null });
});

test("an impostor that takes over the address after the daemon receives nothing", async () => {
  await using ca = await createCa();
  await using own = await startEnabled();
  const profile = await own.enroll();
  await using impostor = await startImpostor(ca.issue(["DNS:localhost", "IP:127.0.0.1"]));
  await using client = connect({ ...profile, addresses: [impostor.address] });
  await expect(client.tasks.list()).rejects.toBeInstanceOf(TrustError);
  await impostor.untilAttempt();
  expect(impostor.received().length).toBe(0);
});

async function untilListening(local: Client): Promise<void> {
  await until("the remote API listens", async () => (await local.remote.get()).listening);
}
