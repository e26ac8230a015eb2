import { readFileSync } from "node:fs";

/** Returns the resident memory of a process in MB. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1_024;
}

/** Returns the time a process has run in user and system mode since its start. */
export function processorMs(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").slice(11, 13);
  const ticksPerSecond = 100;
  return ((Number(user) + Number(system)) / ticksPerSecond) * 1_000;
}
