import { execFile, type ExecFileException } from "node:child_process";
import { promisify } from "node:util";

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

/**
 * Runs a tool of the system to its end. The runner has no PATH, so only the system's default folders are searched. Rejects
 * if the tool cannot be started.
 */
export async function runTool(
  tool: string,
  args: readonly string[],
  { environment = {}, timeoutMs }: ToolOptions,
): Promise<ToolEnd> {
  try {
    const settings = { env: environment, cwd: "/", timeout: timeoutMs, killSignal: "SIGKILL" } as const;
    return { exitCode: 0, ...(await promisify(execFile)(tool, args, settings)) };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as ExecFileException;
    // a string is the code of a failed start
    if (typeof code === "string") throw error;
    return { exitCode: code ?? null, stdout, stderr };
  }
}
