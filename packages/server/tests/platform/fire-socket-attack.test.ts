import { until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { makeTask, makeTrigger, query } from "../support/api.ts";
import { fireOn, prepareFireSocket } from "../support/fire-socket.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { canRunAsStranger, canUnshare, stranger } from "../support/processes/privileges.ts";
import { hang } from "../support/raw.ts";
import { countRuns, getTrigger } from "../support/triggers.ts";

const daemons = useDaemonProcess();
const unknownKey = "bfk_9sLq2XvT_kV7nRw4ZpYb1cJ0hFtMd8uG3eQx6aSoi";
/** Shorter than the time for which a caller who sends nothing may keep its connection. */
const connections = 1_000;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a shell command with this on its standard input, behind a program such as `setpriv`. */
async function shell(behind: readonly string[], command: string, input = ""): Promise<Ended> {
  const [program, ...words] = [...behind, "/bin/sh", "-c", command];
  const child = spawn(program, words, { cwd: "/", env: { PATH: "/usr/local/bin:/usr/bin:/bin" } });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stdin.on("error", () => {}).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

/** A trigger whose task has no process, so that its runs cost little. */
async function makeQuietTrigger(daemon: DaemonProcess) {
  return makeTrigger(daemon, {}, { concurrency: { limit: 1, on_conflict: "skip" } });
}

/** Calls the daemon's own socket until the attack is over; returns the statuses of the answers. */
async function useWhile<T>(daemon: DaemonProcess, attack: Promise<T>): Promise<{ statuses: Set<number>; result: T }> {
  let isOver = false;
  const using = (async () => {
    const statuses = new Set<number>();
    do statuses.add((await daemon.call("GET", "/v1/tasks")).status);
    while (!isOver);
    return statuses;
  })();
  const result = await attack.finally(() => (isOver = true));
  return { statuses: await using, result };
}

const asStranger = ["setpriv", `--reuid=${stranger}`, `--regid=${stranger}`, "--clear-groups"] as const;

test.skipIf(!canRunAsStranger)(
  "another user fires with a key, and can neither read nor change anything else",
  async () => {
    await using place = await prepareFireSocket('socket_mode = "0666"\n');
    await using daemon = await daemons.start({ dataDir: place.dataDir });
    const { trigger, key, command } = await makeQuietTrigger(daemon);
    const fired = await shell(asStranger, command, key);
    expect(fired).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(fired.stdout)).toMatchObject({ trigger_id: trigger.id });
    const own = await shell(asStranger, command.replace(place.path, daemon.socketPath), key);
    expect([own.code, own.stdout]).toEqual([7, ""]);
    for (const path of ["/v1/tasks", "/v1/runtime-info", `/v1/triggers/${trigger.id}`]) {
      const read = await shell(asStranger, `curl -s --unix-socket ${place.path} http://belfry${path}`);
      expect(JSON.parse(read.stdout).error.code).toBe("not_found");
    }
    for (const attempt of [`rm ${place.path}`, `mv ${place.path} ${place.path}.old`, `ls ${place.dataDir}`])
      expect((await shell(asStranger, attempt)).code).not.toBe(0);
    expect(countRuns(daemon, trigger.id)).toBe(1);
  },
);

test.skipIf(!canRunAsStranger)(
  "a user outside the group of the socket cannot connect, and a member of it can",
  async () => {
    const group = 61_235;
    await using place = await prepareFireSocket(`socket_group = "${group}"\n`);
    await using daemon = await daemons.start({ dataDir: place.dataDir });
    const { key, command } = await makeQuietTrigger(daemon);
    expect(lstatSync(place.path)).toMatchObject({ gid: group });
    expect((await shell(asStranger, command, key)).code).toBe(7);
    const member = ["setpriv", `--reuid=${stranger}`, `--regid=${stranger}`, `--groups=${group}`];
    expect(await shell(member, command, key)).toMatchObject({ code: 0 });
  },
);

test.skipIf(!canUnshare)(
  "a key fires from namespaces such as a container has: no network, and only the socket in its files",
  async () => {
    await using place = await prepareFireSocket('socket_mode = "0666"\n');
    await using daemon = await daemons.start({ dataDir: place.dataDir });
    const { trigger, key, command } = await makeQuietTrigger(daemon);
    // the container sees the directory of the socket at another path, and no file of the daemon
    const inside = [
      `mount --bind ${place.folder} /mnt`,
      "mount -t tmpfs tmpfs /mnt/data",
      'test -z "$(ls /mnt/data)"',
      "! ip link show eth0 2>/dev/null",
      command.replace(place.path, "/mnt/fire.sock"),
    ].join(" && ");
    const fired = await shell(["unshare", "-Urmn", "--propagation", "private"], inside, key);
    expect(fired).toMatchObject({ code: 0 });
    expect(JSON.parse(fired.stdout)).toMatchObject({ trigger_id: trigger.id });
  },
);

test("10,000 guesses are all answered `trigger_unknown`, while a key fires and the daemon's own socket answers", async () => {
  await using place = await prepareFireSocket();
  await using daemon = await daemons.start({ dataDir: place.dataDir });
  const { trigger, key } = await makeQuietTrigger(daemon);
  const guesses = 10_000;
  let left = guesses;
  const codes = new Map<string, number>();
  const guess = async (): Promise<void> => {
    while (left-- > 0) {
      const { status, json } = await fireOn(place.path, `${unknownKey.slice(0, -5)}${String(left).padStart(5, "0")}`);
      const code = `${status} ${json.error.code}`;
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  };
  const attack = Promise.all(Array.from({ length: 200 }, guess));
  let fires = 0;
  const firing = (async () => {
    while (left > 0) {
      expect((await fireOn(place.path, key)).status).toBe(202);
      fires++;
    }
  })();
  const { statuses } = await useWhile(daemon, attack);
  await firing;
  expect(statuses).toEqual(new Set([200]));
  expect([...codes]).toEqual([["404 trigger_unknown", guesses]]);
  expect(fires).toBeGreaterThan(10);
  expect((await getTrigger(daemon, trigger.id)).fire_count).toBe(fires);
  const rows = query(daemon, "SELECT error_code FROM audit_events WHERE error_code IS NOT NULL");
  expect(rows).toEqual([]);
  await daemon.stop();
  const [line = ""] = /^.*triggers\.refused.*$/m.exec(daemon.output()) ?? [];
  expect(line).toContain("trigger_unknown");
  expect(daemon.output().match(/triggers\.refused/g)!.length).toBeLessThan(20);
});

test("connections that send nothing, or slowly, keep nobody out and are closed", async () => {
  await using place = await prepareFireSocket();
  await using daemon = await daemons.start({ dataDir: place.dataDir });
  const { trigger, key } = await makeQuietTrigger(daemon);
  const head = "POST /v1/triggers/fire HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  const starts = [
    "",
    "POST /v1/triggers/fire HTTP/1.1\r\nHo",
    `${head}Content-Length: 4000\r\n\r\n{"key":`,
    `${head}Transfer-Encoding: chunked\r\n\r\nff\r\n{"ke`,
  ];
  const open = new Set<Socket>();
  const attack = (async () => {
    for (let index = 0; index < connections; index++) {
      const socket = await hang(place.path, starts[index % starts.length]!);
      open.add(socket);
      socket.on("close", () => open.delete(socket)).resume();
      if (index % 100 === 0) expect((await fireOn(place.path, key)).status).toBe(202);
    }
  })();
  const { statuses } = await useWhile(daemon, attack);
  expect(statuses).toEqual(new Set([200]));
  await until("the surplus is closed", () => open.size <= 256);
  // each writes on, so none is idle
  const dripping = setInterval(() => {
    for (const socket of open) socket.write("x");
  }, 200);
  try {
    expect((await fireOn(place.path, key)).status).toBe(202);
    await until("every slow connection is closed", () => open.size === 0);
  } finally {
    clearInterval(dripping);
  }
  expect((await fireOn(place.path, key)).status).toBe(202);
  expect(countRuns(daemon, trigger.id)).toBe(12);
});

test("huge bodies and headers are refused before they are read, while the daemon's own socket answers", async () => {
  await using place = await prepareFireSocket();
  await using daemon = await daemons.start({ dataDir: place.dataDir });
  const { key } = await makeQuietTrigger(daemon);
  const post = "POST /v1/triggers/fire HTTP/1.1\r\nHost: x\r\n";
  const head = `${post}Content-Type: application/json\r\n`;
  const floods = [
    { start: `${head}Content-Length: 99999999999\r\n\r\n`, fill: "x", status: "413" },
    { start: `${head}Transfer-Encoding: chunked\r\n\r\nfffffffff\r\n`, fill: "x", status: "413" },
    { start: `${post}X-Long: `, fill: "x", status: "431" },
    // the parser skips spaces without counting them, so the time limit ends this one
    { start: `${post}X-Long: `, fill: " ", status: "408" },
  ] as const;
  const flood = ({ start, fill }: (typeof floods)[number]): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(place.path);
      const piece = Buffer.alloc(64 * 1024, fill);
      let received = "";
      const write = (): void => {
        if (socket.writable) socket.write(piece, (error) => void (error ?? write()));
      };
      socket.setEncoding("latin1").on("data", (part: string) => (received += part));
      socket.on("error", () => {}).on("end", () => socket.destroy());
      socket.on("close", () => resolve(received.slice(9, 12)));
      socket.write(start, write);
    });
  const each = Array.from({ length: 60 }, (_, index) => floods[index % floods.length]!);
  const { statuses, result } = await useWhile(daemon, Promise.all(each.map(flood)));
  expect(statuses).toEqual(new Set([200]));
  // a client that is still writing may lose its connection before it reads the answer
  for (const [index, status] of result.entries()) expect([each[index]!.status, ""]).toContain(status);
  expect(result.some((status) => status !== "")).toBe(true);
  expect((await fireOn(place.path, key)).status).toBe(202);
});

test("fires in parallel all have their run, on connections that each close after their answer", async () => {
  await using place = await prepareFireSocket();
  await using daemon = await daemons.start({ dataDir: place.dataDir });
  const { trigger, key } = await makeQuietTrigger(daemon);
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const answers = await Promise.all(Array.from({ length: 500 }, () => fireOn(place.path, key, { agent })));
  agent.destroy();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(countRuns(daemon, trigger.id)).toBe(500);
});

test("the socket survives a killed daemon, and a second daemon with the same path is refused with a sentence", async () => {
  await using place = await prepareFireSocket();
  const other = join(place.folder, "other");
  mkdirSync(other, { mode: 0o700 });
  writeFileSync(join(other, "config.toml"), `[triggers]\nsocket = "${place.path}"\n`);
  let key: string;
  {
    await using daemon = await daemons.start({ dataDir: place.dataDir });
    ({ key } = await makeQuietTrigger(daemon));
    await using second = await daemons.spawn({ dataDir: other });
    expect(await second.ended).toBe(1);
    expect(second.said.stderr).toBe(
      `belfryd: another program, such as a second daemon, is listening on triggers.socket ${place.path}: stop that program, or choose another triggers.socket\n`,
    );
    expect((await fireOn(place.path, key)).status).toBe(202);
    await daemon.kill();
  }
  expect(existsSync(place.path)).toBe(true);
  await using next = await daemons.start({ dataDir: place.dataDir });
  await makeTask(next);
  expect((await fireOn(place.path, key)).status).toBe(202);
  await next.stop();
  expect(existsSync(place.path)).toBe(false);
});

test("a directory that is missing or open to others stops the start with one sentence", async () => {
  await using place = await prepareFireSocket();
  chmodSync(place.folder, 0o777);
  await using daemon = await daemons.spawn({ dataDir: place.dataDir });
  expect(await daemon.ended).toBe(1);
  expect(daemon.said.stderr).toBe(
    `belfryd: triggers.socket ${place.path} is not safe: other users can write in ${place.folder} (mode 0777), and could replace the socket. Remove that permission, or choose another directory\n`,
  );
});
