import { tempDir } from "@belfry/test-kit";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startDaemon } from "./daemon.ts";
import { root } from "./processes.ts";
import { ratioOf, type Result, show } from "./result.ts";
import { spreadOf } from "./stats.ts";

const rounds = 15;
const helpMaxMs = 80;

/** Times the bundled command as a whole process, and `node -e 0` in the same rounds. */
export async function benchCommand(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  await using daemon = await startDaemon(join(dir.path, "data"));
  for (let number = 0; number < 20; number++) {
    await daemon.call("POST", "/v1/tasks", {
      name: `task ${number}`,
      command: { kind: "exec", program: "/bin/true" },
    });
  }
  const command = join(root, "apps/cli/dist/bundle/belfry.js");
  const environment = { PATH: "/usr/bin:/bin", HOME: dir.path, BELFRY_DATA_DIR: daemon.dataDir };
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
