import { ManualClock, until } from "@belfry/test-kit";
import { Agent } from "node:https";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { enrollmentOf } from "../support/api.ts";
import { expectRefusal } from "../support/call.ts";
import { enrollmentRequest } from "../support/remote-call.ts";
import type { RemoteLimits } from "../../src/kernel/config/remote-config.ts";
import { createLog, type LogEntry } from "../../src/kernel/log/log.ts";
import { handshakeMs, makeToken, type RemoteDaemon, startRemoteDaemon } from "../support/remote.ts";

const wrongToken = `bat_${"0".repeat(8)}_${"0".repeat(43)}`;
const neighbour = "127.0.0.77";

interface Open<S extends Socket = Socket> {
  readonly socket: S;
  readonly isClosed: () => boolean;
}

function watch<S extends Socket>(socket: S): Open<S> {
  let isClosed = false;
  socket
    .on("error", () => {})
    .on("close", () => void (isClosed = true))
    .resume();
  return { socket, isClosed: () => isClosed };
}

/** A connection without a handshake. */
async function openTcp({ port }: RemoteDaemon, localAddress = "127.0.0.1"): Promise<Open> {
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  const open = watch(socket);
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  return open;
}

/** A connection with a handshake and nothing else. */
async function openTls({ port, ca }: RemoteDaemon, localAddress = "127.0.0.1"): Promise<Open<TLSSocket>> {
  for (;;) {
    const start = performance.now();
    const socket = connectTls({
      socket: connect({ host: "127.0.0.1", port, localAddress }),
      ca,
      servername: "localhost",
    });
    const open = watch(socket);
    await new Promise((resolve) => socket.once("secureConnect", resolve).once("close", resolve));
    if (!open.isClosed() || performance.now() - start < handshakeMs) return open;
  }
}

function closeAll(all: readonly Open[]): void {
  for (const { socket } of all) socket.destroy();
}

interface Quickly {
  readonly limits: Partial<RemoteLimits>;
  /** The daemon closes no connection of the story for its silence within this time. */
  readonly withinMs: number;
}

/** Tells a story about open connections, and tells it again with another daemon if it took too long to mean something. */
async function quickly(
  { limits, withinMs }: Quickly,
  story: (daemon: RemoteDaemon, all: Open[]) => Promise<void>,
): Promise<void> {
  const begun = performance.now();
  for (;;) {
    await using daemon = await startRemoteDaemon({ limits });
    const all: Open[] = [];
    const start = performance.now();
    const tookTooLong = () => performance.now() - start >= withinMs;
    try {
      await story(daemon, all);
      if (!tookTooLong()) return;
    } catch (failure) {
      if (!tookTooLong()) throw failure;
    } finally {
      closeAll(all);
    }
    if (performance.now() - begun > 300_000) throw new Error(`each try took longer than ${withinMs} ms`);
  }
}

describe("requests", () => {
  test("public requests of one address are limited, and those of another are not", async () => {
    await using daemon = await startRemoteDaemon({ clock: new ManualClock(), limits: { publicRequestsPerMinute: 3 } });
    const health = (localAddress?: string) =>
      daemon.remote({ path: "/api/v1/health", ...(localAddress === undefined ? {} : { localAddress }) });
    for (let sent = 0; sent < 3; sent++) expect((await health()).status).toBe(200);
    const refused = await health();
    expectRefusal(refused, "rate_limited", null);
    expect(refused.headers["retry-after"]).toBe("1");
    expect((await health(neighbour)).status).toBe(200);
  });

  test("the limit fills again continuously", async () => {
    const clock = new ManualClock();
    await using daemon = await startRemoteDaemon({ clock, limits: { publicRequestsPerMinute: 6 } });
    const statuses = async (count: number) => {
      const answers = [];
      for (let sent = 0; sent < count; sent++) answers.push((await daemon.remote({ path: "/api/v1/health" })).status);
      return answers;
    };
    expect(await statuses(7)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    await clock.advance(10_000);
    expect(await statuses(2)).toEqual([200, 429]);
  });

  test("enrolments have a limit of their own", async () => {
    await using daemon = await startRemoteDaemon({ clock: new ManualClock(), limits: { enrollmentsPerMinute: 2 } });
    const enroll = () => daemon.remote({ method: "POST", path: "/api/v1/enroll", body: {} });
    for (let sent = 0; sent < 2; sent++) expect((await enroll()).status).toBe(400);
    expectRefusal(await enroll(), "rate_limited", null);
    expect((await daemon.remote({ path: "/api/v1/health" })).status).toBe(200);
  });

  test("an actor's requests are limited, whatever its addresses and credentials", async () => {
    await using daemon = await startRemoteDaemon({ clock: new ManualClock(), limits: { requestsBurst: 3 } });
    const [{ token }, { token: other }] = [await makeToken(daemon), await makeToken(daemon)];
    const path = "/api/v1/tasks";
    for (const localAddress of ["127.0.0.1", neighbour, "127.0.0.78"])
      expect((await daemon.remote({ path, token, localAddress })).status).toBe(200);
    expectRefusal(await daemon.remote({ path, token }), "rate_limited", null);
    expectRefusal(await daemon.remote({ path: "/api/v1/unknown", token }), "rate_limited", null);
    expect((await daemon.remote({ path, token: other })).status).toBe(200);
    const { json } = await daemon.call("GET", "/v1/audit?result=denied");
    expect(json.audit_events).toEqual([]);
  });

  test("a neighbour behind the same address with wrong tokens keeps no valid token out", async () => {
    await using daemon = await startRemoteDaemon({ clock: new ManualClock(), limits: { publicRequestsPerMinute: 5 } });
    const { token } = await makeToken(daemon);
    const path = "/api/v1/tasks";
    for (let sent = 0; sent < 4; sent++)
      expectRefusal(await daemon.remote({ path, token: wrongToken }), "unauthorized", null);
    expectRefusal(await daemon.remote({ path: "/api/v1/unknown" }), "not_found", null);
    for (const refused of [
      { path, token: wrongToken },
      { path },
      { path: "/api/v1/unknown" },
      { path: "/api/v1/unknown", token: wrongToken },
      { path: "/api/v1/health" },
      { path: "/api/v1/health", token: wrongToken },
    ])
      expectRefusal(await daemon.remote(refused), "rate_limited", null);
    for (const allowed of [path, "/api/v1/health", "/api/v1/manifest"])
      expect((await daemon.remote({ path: allowed, token })).status).toBe(200);
    expectRefusal(await daemon.remote({ path: "/api/v1/unknown", token }), "not_found", null);
  });

  test("refused enrolments are counted in this line too, and leave no row in the audit trail", async () => {
    const clock = new ManualClock();
    const logged: LogEntry[] = [];
    const log = createLog(clock, "info", [(entry) => void logged.push(entry)]);
    await using daemon = await startRemoteDaemon({ clock, log });
    const enrollment = await enrollmentOf(daemon);
    for (const wrong of [{ phrase: "wrong" }, { daemon_id: "ins_another" }, { phrase: 7 }])
      await daemon.remote(enrollmentRequest({ ...enrollment, ...wrong }));
    await clock.advance(60_000);
    expect(logged.filter(({ event }) => event === "remote.refused").map(({ fields }) => fields)).toEqual([
      { enrollments_refused: 3 },
    ]);
    expect((await daemon.remote(enrollmentRequest({ ...enrollment, kind: "json" }))).status).toBe(201);
    const { json } = await daemon.call("GET", "/v1/audit?operation=access.enroll");
    expect(json.audit_events).toMatchObject([{ result: "allowed" }]);
  });

  test("refusals are one line of the log a minute", async () => {
    const clock = new ManualClock();
    const logged: LogEntry[] = [];
    const log = createLog(clock, "info", [(entry) => void logged.push(entry)]);
    await using daemon = await startRemoteDaemon({ clock, log, limits: { publicRequestsPerMinute: 3 } });
    for (const path of ["/api/v1/tasks", "/api/v1/tasks", "/api/v1/unknown", "/api/v1/tasks"])
      await daemon.remote({ path });
    const lines = () => logged.filter(({ event }) => event === "remote.refused");
    expect(lines()).toEqual([]);
    await clock.advance(60_000);
    expect(lines()).toMatchObject([{ fields: { unauthorized: 2, not_found: 1, rate_limited: 1 } }]);
  });
});

/** The daemon keeps a connection between its requests for 60 s. */
const keptMs = 50_000;
const limitsOfCredentials = { unauthenticatedConnectionsPerAddress: 1, connectionsPerCredential: 3, connections: 4 };

describe("connections", () => {
  test("of one address without a token, the oldest is closed for a new one", () =>
    quickly({ limits: {}, withinMs: 4_000 }, async (daemon, all) => {
      for (let index = 0; index < 8; index++) all.push(index % 2 === 0 ? await openTcp(daemon) : await openTls(daemon));
      const other = await openTls(daemon, neighbour);
      expect([...all, other].some(({ isClosed }) => isClosed())).toBe(false);
      for (let index = 0; index < 8; index++) {
        all.push(await openTls(daemon));
        await until(`the end of connection ${index}`, () => all[index]!.isClosed());
        expect(all.filter(({ isClosed }) => isClosed())).toHaveLength(index + 1);
      }
      expect(other.isClosed()).toBe(false);
      all.push(other);
    }));

  test("of all addresses, the oldest of the address with most is closed", () =>
    quickly({ limits: { unauthenticatedConnections: 4 }, withinMs: 9_000 }, async (daemon, all) => {
      const lonely = await openTls(daemon, "127.0.0.10");
      all.push(lonely);
      const busy: Open[] = [];
      for (let index = 0; index < 3; index++) busy.push(await openTls(daemon, "127.0.0.11"));
      all.push(...busy);
      for (let index = 0; index < 10; index++) {
        busy.push(await openTls(daemon, "127.0.0.11"));
        all.push(busy.at(-1)!);
        await until("the end of the oldest", () => busy[index]!.isClosed());
      }
      expect(lonely.isClosed()).toBe(false);
    }));

  test("slow clients of eight addresses keep nobody else out", async () => {
    await using daemon = await startRemoteDaemon();
    const { token } = await makeToken(daemon);
    const all: Open[] = [];
    let isOver = false;
    const attack = async (address: string): Promise<void> => {
      while (!isOver) {
        const slow = await openTls(daemon, address);
        slow.socket.write("GET /api/v1/tasks HTTP/1.1\r\nHost: x\r\nX-Slow: ");
        all.push(slow);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const attacks = Array.from({ length: 8 }, (_, index) => attack(`127.0.1.${index + 1}`));
    try {
      await until("64 slow connections", () => all.length > 64);
      for (let sent = 0; sent < 30; sent++)
        expect((await daemon.remote({ path: "/api/v1/tasks", token, localAddress: neighbour })).status).toBe(200);
      expect((await daemon.call("GET", "/v1/remote")).json.connections).toBeLessThanOrEqual(66);
    } finally {
      isOver = true;
      await Promise.all(attacks);
      closeAll(all);
    }
  });

  test("connections with a token are counted apart, and each credential has a limit", () =>
    quickly({ limits: limitsOfCredentials, withinMs: keptMs }, async (daemon) => {
      const [first, second] = [await makeToken(daemon), await makeToken(daemon)];
      const agents: Agent[] = [];
      const useNew = (token: string) => {
        const agent = new Agent({ keepAlive: true });
        agents.push(agent);
        return daemon.remote({ path: "/api/v1/tasks", token, agent });
      };
      try {
        for (let index = 0; index < 3; index++) expect((await useNew(first.token)).status).toBe(200);
        expectRefusal(await useNew(first.token), "rate_limited", null);
        expect((await useNew(second.token)).status).toBe(200);
        expectRefusal(await useNew(second.token), "rate_limited", null);
        // a connection that is counted may send more requests
        for (const agent of agents.slice(0, 3))
          expect((await daemon.remote({ path: "/api/v1/tasks", token: first.token, agent })).status).toBe(200);
        agents[0]!.destroy();
        await until("the free place", async () => (await useNew(second.token)).status === 200);
      } finally {
        for (const agent of agents) agent.destroy();
      }
    }));

  test("a connection whose token was revoked counts as one without", () =>
    quickly({ limits: { unauthenticatedConnectionsPerAddress: 1 }, withinMs: keptMs }, async (daemon) => {
      const { token, credentialId } = await makeToken(daemon);
      const agent = new Agent({ keepAlive: true });
      try {
        expect((await daemon.remote({ path: "/api/v1/tasks", token, agent })).status).toBe(200);
        await daemon.call("POST", `/v1/access/credentials/${credentialId}/revoke`);
        expectRefusal(await daemon.remote({ path: "/api/v1/tasks", token, agent }), "credential_revoked", null);
        const [socket] = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
        const revoked = watch(socket!);
        const next = await openTls(daemon);
        await until("the end of the revoked connection", revoked.isClosed);
        next.socket.destroy();
      } finally {
        agent.destroy();
      }
    }));
});

describe("a slow client is disconnected", () => {
  test("that does not begin its handshake, or its request, or does not end its headers", async () => {
    await using daemon = await startRemoteDaemon();
    const silent = await openTcp(daemon);
    const idle = await openTls(daemon);
    const trickling = await openTls(daemon);
    let said = "";
    trickling.socket.on("data", (part) => void (said += String(part)));
    trickling.socket.write("GET /api/v1/health HTTP/1.1\r\nHost: x\r\n");
    let sent = 0;
    const trickle = setInterval(() => trickling.socket.write(`X-${sent++}: y\r\n`), 200);
    try {
      await until("the end of all", () => [silent, idle, trickling].every(({ isClosed }) => isClosed()));
      expect(said).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      clearInterval(trickle);
      closeAll([silent, idle, trickling]);
    }
  });

  test("that sends headers without end", async () => {
    await using daemon = await startRemoteDaemon();
    const { socket, isClosed } = await openTls(daemon);
    let said = "";
    socket.on("data", (part) => void (said += String(part)));
    socket.write(`GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}`);
    await until("the end", isClosed);
    expect(said).toMatch(/^HTTP\/1\.1 431 /);
  });
});

test("bytes that are not TLS, and TLS that is not HTTP, harm nobody", async () => {
  await using daemon = await startRemoteDaemon();
  const { token } = await makeToken(daemon);
  for (const bytes of ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01\x00\x05hello", "\0".repeat(1_000)]) {
    const { socket, isClosed } = await openTcp(daemon);
    socket.write(bytes);
    await until("the end", isClosed);
  }
  const garbled = await openTls(daemon);
  garbled.socket.write("this is not HTTP\r\n\r\n");
  await until("the end", garbled.isClosed);
  expect((await daemon.remote({ path: "/api/v1/tasks", token })).status).toBe(200);
});
