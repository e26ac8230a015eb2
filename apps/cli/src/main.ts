import { type Command as Parser, CommanderError } from "commander";
import { parseDuration } from "@belfry/contract";
import type { Context } from "./context.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { Failure, usage } from "./failure.ts";
import type { Host } from "./host.ts";
import { refuseTriggerKey } from "./input/refuse-trigger-key.ts";
import { useLeanFetch } from "./lean-fetch.ts";
import { Output } from "./output/output.ts";
import { escapeUnsafe } from "./output/width.ts";
import { createProgram, type Globals } from "./program.ts";
import { version } from "./version.ts";

/** One call of the command, from its words to its exit code. Whatever goes wrong is said on standard error. */
export async function main(words: readonly string[], host: Host): Promise<ExitCode> {
  const argv = words[0] === "help" ? [...words.slice(1), "--help"] : words;
  let exitCode: ExitCode = exitCodes.ok;
  let called: Parser | null = null;
  const program = createProgram(host, version, async (command, parser, globals) => {
    called = parser;
    const context = contextOf(argv, globals, host);
    try {
      exitCode = (await command.run(parser, context)) ?? exitCodes.ok;
    } finally {
      context.out.endProgress();
    }
  });
  try {
    // before anything is parsed: a mistake elsewhere in the call would repeat it
    const refusal = refuseTriggerKey(argv);
    if (refusal !== null) throw refusal;
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const failure =
      error instanceof Failure
        ? error
        : await (await import("./explain-error.ts")).explainError(error, called ?? program);
    host.stderr.write(
      `${program.opts<Globals>().json === true || argv.includes("--json") ? asJson(failure) : asText(failure)}\n`,
    );
    return failure.exitCode;
  }
}

function contextOf(argv: readonly string[], globals: Globals, host: Host): Context {
  const location = { socket: globals.socket ?? null, dataDir: globals.dataDir ?? null };
  const timeoutMs = readTimeout(globals.requestTimeout);
  const out = new Output(host, globals.json === true);
  return {
    argv,
    host,
    location,
    out,
    connect: async () => {
      if (host.ownsProcess) useLeanFetch();
      out.progress(() => "Waiting for the daemon");
      return (await import("./connect.ts")).connect(location, host, timeoutMs);
    },
  };
}

function readTimeout(text: string | undefined): number | null {
  if (text === undefined) return null;
  const timeoutMs = parseDuration(text);
  if (timeoutMs !== null && timeoutMs > 0) return timeoutMs;
  throw usage(`--request-timeout is a number and one of ms, s, m, h, d, such as 5s, not ${JSON.stringify(text)}`);
}

function asText({ message, hint }: Failure): string {
  return escapeUnsafe(`belfry: ${message}${hint === null ? "" : `\n${hint}`}`);
}

function asJson({ code, field, message, exitCode }: Failure): string {
  return JSON.stringify({ error: { code, field, message, exit_code: exitCode } });
}
