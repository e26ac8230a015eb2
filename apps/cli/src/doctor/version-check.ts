import { readInstalledVersion } from "../daemon/executable.ts";
import type { Finding } from "./finding.ts";

/** An upgrade replaces the program, but the daemon runs on as the former one until it is restarted. */
export function checkVersion(running: string, installed: string | null = readInstalledVersion()): readonly Finding[] {
  if (installed === null || installed === running) return [];
  const text = `version ${running} runs, but version ${installed} is installed: restart the daemon to use ${installed}`;
  return [{ subject: "version", level: "warn", text }];
}
