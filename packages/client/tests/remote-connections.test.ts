import { until } from "@belfry/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCa, type PrivateCa } from "../../server/tests/support/certificates.ts";
import type { TrustError } from "../src/remote.ts";
import { runProgram } from "./bundle.ts";
import {
  type Answer,
  connectTo,
  daemonLeaf,
  type FakeRemote,
  fakeRemote,
  profileOf,
  startImpostor,
} from "./fake-remote-daemon.ts";

let ca: PrivateCa & AsyncDisposable;
beforeAll(async () => {
  ca = await createCa();
});
afterAll(() => ca[Symbol.asyncDispose]());

const checks = ["/manifest", "/access/current"];
const cut: Answer = () => (response) => void response.destroy();
const startDaemon = (answer?: Answer) => fakeRemote(daemonLeaf(ca), answer);
const pathsOf = (daemon: FakeRemote) => daemon.seen.map(({ path }) => path);
const callsOf = (daemon: FakeRemote) => pathsOf(daemon).filter((path) => !checks.includes(path));

describe("several addresses", () => {
  test("are tried in order, and the one that answered last comes first", async () => {
    const dead = await startDaemon();
    await dead[Symbol.asyncDispose]();
    await using daemon = await startDaemon();
    await using client = connectTo(profileOf(ca.ca, dead.address, daemon.address));
    await client.tasks.get("tsk_1");
    // now the first address has a daemon too, and is not needed
    await using revived = await fakeRemote(daemonLeaf(ca), () => null, portOf(dead));
    daemon.cut();
    await until("the connection is closed", () => daemon.openConnections() === 0);
    await client.tasks.get("tsk_1");
    expect([revived.seen.length, callsOf(daemon).length]).toEqual([0, 2]);
  });

  test("may contain the address of another machine, which is reported once and receives nothing", async () => {
    await using otherCa = await createCa();
    await using other = await startImpostor(daemonLeaf(otherCa));
    await using daemon = await startDaemon();
    const untrusted: TrustError[] = [];
    const onUntrustedAddress = (error: TrustError) => void untrusted.push(error);
    await using client = connectTo(profileOf(ca.ca, other.address, daemon.address), { onUntrustedAddress });
    await Promise.all([client.tasks.get("tsk_1"), client.tasks.get("tsk_2"), client.tasks.get("tsk_3")]);
    const attempts = other.attempts();
    // while the daemon restarts, the other machine is not tried again
    await daemon[Symbol.asyncDispose]();
    await expect(client.tasks.get("tsk_1")).rejects.toMatchObject({
      name: "ConnectionError",
      message: expect.stringContaining(other.address),
    });
    await other.untilAttempt();
    expect(untrusted.map(({ address }) => address)).toEqual([other.address]);
    expect([other.attempts(), other.received().length]).toEqual([attempts, 0]);
  });

  test("that all belong to other machines are a trust error", async () => {
    await using otherCa = await createCa();
    await using one = await startImpostor(daemonLeaf(otherCa));
    await using two = await startImpostor(daemonLeaf(ca, { days: -1 }));
    await using client = connectTo(profileOf(ca.ca, one.address, two.address));
    await expect(client.tasks.get("tsk_1")).rejects.toMatchObject({
      name: "TrustError",
      address: one.address,
      message: expect.stringContaining("has expired"),
    });
    expect([one.attempts(), two.attempts()]).toEqual([1, 1]);
  });
});

describe("many calls", () => {
  test("at the same time share six connections", async () => {
    await using daemon = await startDaemon();
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    await Promise.all(Array.from({ length: 60 }, (_, index) => client.tasks.get(`tsk_${index}`)));
    expect([daemon.resumed.length, callsOf(daemon).length]).toEqual([6, 60]);
  });

  test("wait for a connection, and a waiting mutation that is aborted was not sent", async () => {
    const held: (() => void)[] = [];
    await using daemon = await startDaemon(({ path }) =>
      path.startsWith("/tasks/") ? (response) => void held.push(() => response.end("{}")) : null,
    );
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    const reads = Array.from({ length: 6 }, (_, index) => client.tasks.get(`tsk_${index}`));
    await until("every connection is in use", () => held.length === 6);
    const controller = new AbortController();
    const creating = client.tasks.create({ name: "Report" }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(creating).rejects.toMatchObject({ name: "AbortError" });
    await expect(client.tasks.create({ name: "Report" }, { timeoutMs: 20 })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    for (const answer of held) answer();
    await Promise.all(reads);
    expect(callsOf(daemon)).not.toContain("/tasks");
  });

  test("that fail leave their connections free for others", async () => {
    await using daemon = await startDaemon((request) => (request.path === "/tasks" ? cut(request) : null));
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    for (let round = 0; round < 3; round++) {
      const creations = Array.from({ length: 6 }, () => client.tasks.create({ name: "Report" }));
      await Promise.allSettled(creations);
    }
    expect(await client.tasks.get("tsk_1")).toMatchObject({ id: "tsk_1" });
  });

  test("fail one by one if the daemon is gone, and none waits for ever", async () => {
    const daemon = await startDaemon();
    await daemon[Symbol.asyncDispose]();
    await using client = connectTo(profileOf(ca.ca, daemon.address), { retries: 0 });
    const calls = Array.from({ length: 20 }, () => client.tasks.get("tsk_1"));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => "rejected"));
  });

  test("and a stream do not share a connection", async () => {
    await using daemon = await startDaemon(({ path }) =>
      path === "/events"
        ? (response) => {
            response.writeHead(200, { "content-type": "text/event-stream" });
            response.write('event: hello\nid: a-0\ndata: {"epoch":"a","capabilities":[]}\n\n');
          }
        : null,
    );
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    const events = client.events.subscribe();
    await events.next();
    await client.tasks.get("tsk_1");
    expect(daemon.openConnections()).toBe(2);
    await events.return();
    await until("the connection of the stream is closed", () => daemon.openConnections() === 1);
  });
});

describe("a client that is closed", () => {
  test("closes every connection and fails every call, waiting ones included", async () => {
    await using daemon = await startDaemon(({ path }) => (path.startsWith("/tasks") ? () => undefined : null));
    const client = connectTo(profileOf(ca.ca, daemon.address));
    const calls = Array.from({ length: 8 }, () => client.tasks.create({ name: "Report" }));
    const outcomes = Promise.allSettled(calls);
    await until("six calls were sent", () => callsOf(daemon).length === 6);
    client.close();
    const names = (await outcomes).map((outcome) =>
      outcome.status === "rejected" ? (outcome.reason as Error).name : "",
    );
    expect(names.filter((name) => name === "UncertainOutcomeError").length).toBe(6);
    expect(names.filter((name) => name === "ConnectionError").length).toBe(2);
    await expect(client.tasks.get("tsk_1")).rejects.toMatchObject({
      message: expect.stringContaining("This client is closed"),
    });
    await until("no connection is open", () => daemon.openConnections() === 0);
  });

  test("is not needed for a program to end", async () => {
    await using daemon = await startDaemon();
    const program = `import { connectRemote } from "@belfry/client/remote";
      const client = connectRemote(JSON.parse(process.env.PROFILE));
      console.log((await client.tasks.get("tsk_1")).id);`;
    const environment = { PROFILE: JSON.stringify(profileOf(ca.ca, daemon.address)) };
    expect(await runProgram(program, { environment })).toBe("tsk_1\n");
  });
});

function portOf(daemon: FakeRemote): number {
  return Number(daemon.address.split(":")[1]);
}
