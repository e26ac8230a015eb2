import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { fire as shoot, type Shot } from "./load.ts";
import { startDaemon } from "./daemon.ts";
import { root, startServer } from "./processes.ts";
import { ratioOf, type Result } from "./result.ts";
import { inTurn } from "./stats.ts";

const rounds = 7;
const clients = 16;
const firesARound = 2_000;
/** Below the 1,000 runs that the queue of a task can hold. */
const firesATask = 900;
const few = 10;
const many = 10_000;
const callsARound = 200;

/**
 * Measures fires until their runs are durable, beside a bare server with one commit per request, and with few and with
 * many stored triggers.
 */
export async function benchFire(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  return [...(await besideBare(dir.path)), ...(await fewAndMany(dir.path))];
}

async function besideBare(dir: string): Promise<readonly Result[]> {
  await using daemon = await startHeld(join(dir, "beside"));
  const bareSocket = join(dir, "bare.sock");
  new BetterSqlite(join(dir, "bare.db")).exec("CREATE TABLE tasks (id TEXT PRIMARY KEY)").close();
  await using _bare = await startServer(
    [join(root, "bench/bare-server.ts"), join(dir, "bare.db"), bareSocket],
    bareSocket,
    join(dir, "bare.log"),
  );
  const keys = await daemon.makeTargets(Math.ceil(((rounds + 1) * firesARound) / firesATask));
  let number = 0;
  const fire = (): Shot => fireWith(keys[Math.floor(number++ / firesATask)]!);
  const bareFire = (): Shot => fireWith(keys[0]!);
  await shoot(daemon.socket, clients, firesARound, fire);
  await shoot(bareSocket, clients, firesARound, bareFire);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const sides = [
      async () => ours.push(await shoot(daemon.socket, clients, firesARound, fire)),
      async () => bare.push(await shoot(bareSocket, clients, firesARound, bareFire)),
    ];
    for (const side of inTurn(round, sides)) await side();
  }
  const name = "a fire, until its run is durable";
  return [
    ratioOf({ name, baseline: "bare node:http with one FULL commit", unit: "requests/s", atLeast: 0.8, ours, bare }),
  ];
}

async function fewAndMany(dir: string): Promise<readonly Result[]> {
  await using small = await startHeld(join(dir, "few"));
  await using large = await startHeld(join(dir, "many"));
  const targets = Math.ceil(((rounds + 1) * callsARound) / firesATask);
  const sides = [];
  for (const [daemon, stored] of [
    [small, few],
    [large, many],
  ] as const) {
    const keys = await daemon.makeTargets(targets);
    let made = 0;
    const create = (): Shot => post("/v1/triggers", { name: `stored ${made++}`, target_task_id: daemon.taskId });
    await shoot(daemon.socket, clients, stored - targets, create);
    sides.push({ daemon, keys, created: 0, fired: 0, creates: [] as number[], fires: [] as number[] });
  }
  for (let round = 0; round <= rounds; round++) {
    for (const side of sides) {
      const { daemon, keys } = side;
      const name = (): string => `measured ${side.created++}`;
      const create = (): Shot => post("/v1/triggers", { name: name(), target_task_id: daemon.taskId });
      const fire = (): Shot => fireWith(keys[Math.floor(side.fired++ / firesATask)]!);
      const creates = await shoot(daemon.socket, clients, callsARound, create);
      const fires = await shoot(daemon.socket, clients, callsARound, fire);
      await daemon.removeNamed("measured");
      // the first round warms up
      if (round === 0) continue;
      side.creates.push(1_000 / creates);
      side.fires.push(1_000 / fires);
    }
  }
  const [fewSide, manySide] = sides as [(typeof sides)[number], (typeof sides)[number]];
  const beside = { baseline: `the same with ${few} stored`, unit: "ms a call", atMost: 2 };
  return [
    ratioOf({
      name: `a trigger created where ${many} are stored`,
      ours: manySide.creates,
      bare: fewSide.creates,
      ...beside,
    }),
    ratioOf({ name: `a fire where ${many} are stored`, ours: manySide.fires, bare: fewSide.fires, ...beside }),
  ];
}

/** Starts a daemon whose only slot is occupied, so that fired runs wait and only the fires are measured. */
async function startHeld(dataDir: string) {
  const daemon = await startDaemon(dataDir, "[engine]\nmax_concurrent_runs = 1\n");
  const { call } = daemon;
  const makeTask = (name: string, script: string) =>
    call("POST", "/v1/tasks", { name, command: { kind: "shell", script }, kill_grace: "0s" });
  const holder = await makeTask("holds the place", "sleep 3600");
  const held = await call("POST", `/v1/tasks/${holder.id}/run`);
  while ((await call("GET", `/v1/runs/${held.id}`)).state !== "running")
    await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    socket: daemon.socket,
    taskId: holder.id as string,
    /** Creates triggers, each for its own task. Returns their keys. */
    makeTargets: async (count: number): Promise<readonly string[]> => {
      const keys: string[] = [];
      for (let number = 0; number < count; number++) {
        const task = await makeTask(`target ${number}`, "true");
        const made = await call("POST", "/v1/triggers", { name: `target ${number}`, target_task_id: task.id });
        keys.push(made.key as string);
      }
      return keys;
    },
    removeNamed: async (part: string): Promise<void> => {
      const { triggers } = await call("GET", `/v1/triggers?q=${part}`);
      for (const { id } of triggers) await call("DELETE", `/v1/triggers/${id}`);
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

function fireWith(key: string): Shot {
  return post("/v1/triggers/fire", { key });
}

function post(path: string, body: unknown): Shot {
  return { method: "POST", path, body: JSON.stringify(body) };
}
