import { tempDir } from "@belfry/test-kit";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endRunners } from "../../../../packages/server/tests/support/harness.ts";
import { freePlace } from "../../../../packages/server/tests/support/ports.ts";
import { repository } from "../../../scripts/run-command.ts";
import type { Block } from "./read-page.ts";

export type Reader = Awaited<ReturnType<typeof newReader>>;

/** Runs in a block's shell before its text: the shell of a reader remembers the directory and the exported variables. */
const resume = `cd "$(cat ~/.page/directory)"; source ~/.page/environment
trap 'status=$?; pwd > ~/.page/directory; export -p > ~/.page/environment; exit $status' EXIT
set -e -o pipefail
`;

/**
 * What the page takes for granted: `start-daemon` starts one in the background. `sudo` runs the command as this user,
 * which is root where the tests of other users run.
 */
const programs: Readonly<Record<string, string>> = {
  "start-daemon": `belfry daemon run > ~/daemon.log 2>&1 &\nuntil belfry daemon status > /dev/null 2>&1; do sleep 0.2; done\n`,
  sudo: `exec "$@"\n`,
  // pnpm runs the workspace's Node, and needs the workspace as its directory
  npx: `[ "$1 $2 $3" = "pnpm@12 exec node" ] || exit 1; shift 3; exec ${process.execPath} "$@"\n`,
};

/** A reader with a home of their own, in which bash runs the blocks of a page. `belfry` is the words that start it. */
export async function newReader(belfry: readonly string[]) {
  const home = await tempDir("page-");
  const bin = join(home.path, "bin");
  const dataDir = join(home.path, ".local/share/belfry");
  for (const folder of [bin, dataDir, join(home.path, ".page")]) await mkdir(folder, { recursive: true });
  const all = { ...programs, belfry: `exec ${belfry.join(" ")} "$@"\n` };
  for (const [name, script] of Object.entries(all)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}`);
    await chmod(join(bin, name), 0o755);
  }
  // a checkout has the command in its root, and the examples
  await symlink(join(repository, "examples"), join(home.path, "examples"));
  await writeFile(join(home.path, "belfry"), `#!/bin/sh\nexec belfry "$@"\n`, { mode: 0o755 });
  await writeFile(join(home.path, ".page/directory"), `${home.path}\n`);
  await writeFile(join(home.path, ".page/environment"), "");
  const environment = {
    HOME: home.path,
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    LANG: "C.UTF-8",
    TZ: "UTC",
    // root's default would be a directory of the machine
    BELFRY_DATA_DIR: dataDir,
    // one for the whole page
    PAGE_PORT: String((await freePlace()).port),
  };
  const started: ChildProcess[] = [];
  let count = 0;

  /** Starts bash with this text. Its output goes to a file, which what it leaves in the background may keep open. */
  const start = ({ text, typed }: Pick<Block, "text" | "typed">) => {
    const log = join(home.path, ".page", `output-${++count}`);
    const output = openSync(log, "w");
    const shell = spawn("bash", ["-c", `${resume}${text}`], {
      env: environment,
      stdio: ["pipe", output, output],
      detached: true,
    });
    shell.stdin!.on("error", () => undefined).end(typed);
    started.push(shell);
    return { shell, readOutput: () => readFileSync(log, "utf8") };
  };

  return {
    home: home.path,
    start,
    /** Runs a block to its end, and returns its exit code and its output. */
    run: async (block: Pick<Block, "text" | "typed">, withinMs = 600_000) => {
      const { shell, readOutput } = start(block);
      const timer = setTimeout(() => process.kill(-shell.pid!, "SIGKILL"), withinMs);
      const [code] = (await once(shell, "exit")) as [number | null];
      clearTimeout(timer);
      return { code, output: readOutput() };
    },
    /** Keeps what a block printed for the placeholders of later blocks. */
    keepOutput: (output: string) => writeFile(join(home.path, ".page/last"), output),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const { pid } of started.toReversed()) endGroup(pid!);
      await endRunners(dataDir);
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Ends what a block has left behind: only processes of its own group, which no other process joins. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // all have ended
  }
}
