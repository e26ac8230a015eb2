import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Whether a test can mount a FUSE file system: it needs bindfs and the device. */
export const canMountFuse = existsSync("/usr/bin/bindfs") && existsSync("/dev/fuse") && process.getuid?.() === 0;

/** A mount whose server can be stopped, as a dead file server is, and continued. */
export async function mountFuse() {
  const dir = await tempDir("bf-");
  const [source, path] = [join(dir.path, "source"), join(dir.path, "mount")];
  for (const folder of [source, path]) mkdirSync(folder);
  const server = spawn("bindfs", ["-f", "--no-allow-other", source, path], { stdio: "ignore" });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  await until("the mount", () => readFileSync("/proc/self/mountinfo", "utf8").includes(` ${path} `));
  return {
    /** The files as the server has them. */
    source,
    path,
    stop: () => server.kill("SIGSTOP"),
    continue: () => server.kill("SIGCONT"),
    [Symbol.asyncDispose]: async () => {
      server.kill("SIGCONT");
      server.kill("SIGTERM");
      await ended;
      await dir[Symbol.asyncDispose]();
    },
  };
}
