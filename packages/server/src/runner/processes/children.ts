import { constants } from "node:os";
import { soon } from "../../kernel/time/clock.ts";
import { reap } from "./libc.ts";
import { type Command, spawnCommand } from "./spawn.ts";

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));
const waiting = new Map<number, (exit: Exit) => void>();
const afterwards: (() => void)[] = [];
let isListening = false;
let isReaping = false;

/** Starts a command as a child of this process. The child's pid may be reused once `exited` has resolved. */
export function startChild(command: Command): { readonly pid: number; readonly exited: Promise<Exit> } {
  // before the start: the signal of a child that ends at once must not be missed
  if (!isListening) process.on("SIGCHLD", reapSoon);
  isListening = true;
  const pid = spawnCommand(command);
  return { pid, exited: new Promise((resolve) => waiting.set(pid, resolve)) };
}

/**
 * Does the work once the starts that are waiting in this turn are done: of many programs that start together, the last one
 * does not wait for what can follow. No child is reaped before.
 */
export function afterStarts(work: () => void): void {
  if (afterwards.push(work) === 1) soon(workAfterStarts);
}

function workAfterStarts(): void {
  for (const work of afterwards.splice(0)) work();
}

/** Orders to start that have arrived meanwhile come first. */
function reapSoon(): void {
  if (isReaping) return;
  isReaping = true;
  soon(reapAll);
}

/** One signal may announce the end of several children. Node waits for its own children by their pids alone. */
function reapAll(): void {
  isReaping = false;
  workAfterStarts();
  for (const [pid, resolve] of waiting) {
    const exit = exitOf(pid);
    if (exit === null) continue;
    waiting.delete(pid);
    resolve(exit);
  }
}

/** Returns how a child ended; null while it runs. One that somebody else has waited for must not hide the others' ends. */
function exitOf(pid: number): Exit | null {
  try {
    const status = reap(pid);
    return status === null ? null : parseWaitStatus(status);
  } catch {
    return { exitCode: null, signal: null };
  }
}

function parseWaitStatus(status: number): Exit {
  const signal = status & 0x7f;
  if (signal === 0) return { exitCode: (status >> 8) & 0xff, signal: null };
  return { exitCode: null, signal: signalNames.get(signal) ?? `SIG${signal}` };
}
