import { type ChildProcess, execFile, type ExecFileException } from "node:child_process";
import { promisify } from "node:util";
import { systemClock, within } from "../../kernel/time/clock.ts";

export interface ToolEnd {
  /** Null if the tool was killed, for example because it took too long. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ToolOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** After this time the tool is killed. */
  readonly timeoutMs: number;
}

/** How long a killed tool may take to end. One that hangs in the kernel does not end. */
export const abandonedAfterMs = 500;

/**
 * Runs a tool of the system to its end, or until it is killed. The runner has no PATH, so only the system's default folders
 * are searched. Rejects if the tool cannot be started.
 */
export async function runTool(
  tool: string,
  args: readonly string[],
  { environment = {}, timeoutMs }: ToolOptions,
): Promise<ToolEnd> {
  const settings = { env: environment, cwd: "/", timeout: timeoutMs, killSignal: "SIGKILL" } as const;
  const running = promisify(execFile)(tool, args, settings);
  const ended = running.then((output) => ({ exitCode: 0, ...output }), endOfFailed);
  const end = await within(systemClock, timeoutMs + abandonedAfterMs, ended);
  if (end !== undefined) return end;
  abandon(running.child);
  return { exitCode: null, stdout: "", stderr: "" };
}

function endOfFailed(error: unknown): ToolEnd {
  const { code, stdout = "", stderr = "" } = error as ExecFileException;
  // a string is the code of a failed start
  if (typeof code === "string") throw error;
  return { exitCode: code ?? null, stdout, stderr };
}

function abandon(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}
