import { limits } from "@belfry/contract";
import { inBatches, tempDir } from "@belfry/test-kit";
import { Agent } from "node:http";
import { join } from "node:path";
import { type Answer, callSocket } from "../packages/server/tests/support/harness.ts";
import { type Daemon, startDaemon } from "./daemon.ts";
import { ratioOf, type Result } from "./result.ts";
import { spreadOf } from "./stats.ts";

const rounds = 7;
const callsARound = 60;
const few = 10;
const many = 10_000;

type Post = (path: string, body: object) => Promise<Answer>;

/**
 * Compares a daemon with 10 chains to one with 10,000, in alternating rounds: the time to create a chain at each place
 * of a graph, and the time to refuse a cycle.
 */
export async function benchChains(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  await using small = await startWorld(join(dir.path, "small"), few);
  await using large = await startWorld(join(dir.path, "large"), many);
  const creates = { ours: [] as number[], bare: [] as number[] };
  const checks = { ours: [] as number[], bare: [] as number[] };
  for (const world of [small, large]) {
    await world.timeCreates();
    await world.timeRefusals();
  }
  for (let round = 0; round < rounds; round++) {
    creates.bare.push(await small.timeCreates());
    creates.ours.push(await large.timeCreates());
    checks.bare.push(await small.timeRefusals());
    checks.ours.push(await large.timeRefusals());
  }
  const baseline = `the same with ${few}`;
  const unit = "ms";
  return [
    ratioOf({ name: `a chain created beside ${many}`, baseline, unit, atMost: 2, ...creates }),
    ratioOf({ name: `a cycle refused among ${many} chains`, baseline, unit, atMost: 2, ...checks }),
  ];
}

/**
 * Starts a daemon with chains: half of them form one line, the other half start from one task. These are the deepest
 * and the widest graph.
 */
async function startWorld(dataDir: string, chains: number) {
  const daemon = await startDaemon(dataDir);
  const { socket } = daemon;
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const post: Post = (path, body) => callSocket(socket, { method: "POST", path, body, agent });
  const half = chains / 2;
  const line = await importTasks(daemon, "line", half + 1);
  const fan = await importTasks(daemon, "fan", half + 1);
  const more = await importTasks(daemon, "more", callsARound);
  const pairs = [
    ...line.slice(1).map((target, index) => [line[index]!, target] as const),
    ...fan.slice(1).map((target) => [fan[0]!, target] as const),
  ];
  for (let at = 0; at < pairs.length; at += 16)
    await Promise.all(pairs.slice(at, at + 16).map(([source, target]) => link(post, source, target)));
  /** The tasks of a new chain: before, after or in the middle of the line, or at either side of the fan. */
  const placeOf = (task: string, number: number): readonly [source: string, target: string] => {
    const middle = line[Math.floor(line.length / 2)]!;
    const places = [
      [task, line[0]!],
      [line.at(-1)!, task],
      [middle, task],
      [task, middle],
      [fan[0]!, task],
      [task, fan[0]!],
    ] as const;
    return places[number % places.length]!;
  };

  return {
    /** Creates chains and deletes them again. Returns the median time of a creation. */
    timeCreates: async (): Promise<number> => {
      const made: string[] = [];
      const took: number[] = [];
      for (const [number, task] of more.entries()) {
        const from = performance.now();
        made.push(await link(post, ...placeOf(task, number)));
        took.push(performance.now() - from);
      }
      for (const id of made) await callSocket(socket, { method: "DELETE", path: `/v1/chains/${id}`, agent });
      return spreadOf(took).median;
    },
    /** Tries to create chains that close a cycle, in the line and in the fan. Returns the median time of a refusal. */
    timeRefusals: async (): Promise<number> => {
      const took: number[] = [];
      for (let number = 0; number < callsARound; number++) {
        const at = number % (line.length - 4);
        const [source, target] = number % 2 === 0 ? [line[at + 3]!, line[at]!] : [fan[1 + (number % half)]!, fan[0]!];
        const from = performance.now();
        const { status } = await post("/v1/chains", {
          source_task_id: source,
          target_task_id: target,
          on_outcome: "any",
        });
        took.push(performance.now() - from);
        if (status !== 400) throw new Error(`a cycle was answered with ${status}`);
      }
      return spreadOf(took).median;
    },
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

async function importTasks(daemon: Daemon, name: string, count: number): Promise<readonly string[]> {
  const command = { kind: "exec", program: "/bin/true" };
  const tasks = Array.from({ length: count }, (_, index) => ({ key: `${index}`, name: `${name} ${index}`, command }));
  const ids: string[] = [];
  for (const file of inBatches(tasks, limits.importItemsMax)) {
    const made = await daemon.call("POST", "/v1/import", { tasks: file });
    ids.push(...made.tasks.map(({ id }: { readonly id: string }) => id));
  }
  return ids;
}

async function link(post: Post, source: string, target: string): Promise<string> {
  const { status, json } = await post("/v1/chains", {
    source_task_id: source,
    target_task_id: target,
    on_outcome: "success",
  });
  if (status !== 201) throw new Error(JSON.stringify(json));
  return json.id;
}
