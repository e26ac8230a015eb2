import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callSocket } from "../packages/server/tests/harness.ts";
import { root, startServer } from "./processes.ts";
import { ratioOf, type Result, show } from "./result.ts";
import { spreadOf } from "./stats.ts";

const rounds = 15;
const helpMaxMs = 80;

/** The bundled command as a whole process, beside `node -e 0` in the same rounds. */
export async function benchCommand(): Promise<readonly Result[]> {
  const dir = mkdtempSync(join(tmpdir(), "bench-"));
  const dataDir = join(dir, "data");
  const socket = join(dataDir, "belfry.sock");
  await using _daemon = await startServer(
    [join(root, "packages/server/dist/bundle/belfryd.js"), "--data-dir", dataDir, "--log-level", "warn"],
    socket,
    join(dir, "daemon.log"),
  );
  for (let number = 0; number < 20; number++) {
    await callSocket(socket, {
      method: "POST",
      path: "/v1/tasks",
      body: { name: `task ${number}`, command: { kind: "exec", program: "/bin/true" } },
    });
  }
  const command = join(root, "apps/cli/dist/bundle/belfry.js");
  const environment = { PATH: "/usr/bin:/bin", HOME: dir, BELFRY_DATA_DIR: dataDir };
  const timeOf = (args: readonly string[]): number => {
    const from = performance.now();
    execFileSync(process.execPath, args, { env: environment, stdio: "ignore" });
    return performance.now() - from;
  };
  const all = { nothing: ["-e", "0"], help: [command, "--help"], list: [command, "task", "list"] } as const;
  Object.values(all).forEach(timeOf);
  const took = { nothing: [] as number[], help: [] as number[], list: [] as number[] };
  for (let round = 0; round < rounds; round++)
    for (const name of ["nothing", "help", "list"] as const) took[name].push(timeOf(all[name]));
  const help = spreadOf(took.help);
  return [
    {
      name: "`belfry --help`",
      baseline: "`node -e 0`",
      ours: `${show(help)} ms`,
      bare: `${show(spreadOf(took.nothing))} ms`,
      figure: `${help.median.toFixed(0)} ms`,
      goal: `≤ ${helpMaxMs} ms`,
      holds: help.median <= helpMaxMs,
    },
    ratioOf({
      name: "`belfry task list`",
      baseline: "`node -e 0`",
      unit: "ms",
      atMost: 2.5,
      ours: took.list,
      bare: took.nothing,
    }),
  ];
}
