import { until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("watchers-writer-program.ts", import.meta.url));

/** Another process that changes a file all the time. A busy machine may let it rest for longer, which ends it. */
export async function startWriter(path: string, restMsMax: number) {
  const child = spawn(process.execPath, [program, path, String(restMsMax)], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => {});
  /** Resolves once it has ended: whether it never rested for longer than allowed. */
  const wasRestless = text(child.stdout).then((longestMs) => longestMs !== "" && Number(longestMs) <= restMsMax);
  await until("the first write", () => existsSync(path));
  return {
    wasRestless,
    stop: (): Promise<boolean> => {
      child.stdin.end();
      return wasRestless;
    },
  };
}
