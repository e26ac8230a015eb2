import { type Command as Parser, CommanderError } from "commander";
import type { Context } from "./context.ts";
import type { DaemonLocation } from "./daemon-location.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import type { RemoteAccess } from "./explain-error.ts";
import { Failure, usage } from "./failure.ts";
import type { Host } from "./host.ts";
import { explainDuration, readDuration } from "./input/duration.ts";
import { refuseSecrets } from "./input/refuse-secrets.ts";
import { useLeanFetch } from "./lean-fetch.ts";
import { hintRewriter, type Rewrite } from "./output/hints.ts";
import { Output } from "./output/output.ts";
import { printable } from "./output/width.ts";
import { chooseProfile } from "./profiles/choose-profile.ts";
import { createProgram, type Globals, namesUnknownCommand, withHelpOption } from "./program.ts";
import { version } from "./version.ts";

/** Runs the command with these arguments and returns its exit code. Errors are written to standard error. */
export async function main(args: readonly string[], host: Host): Promise<ExitCode> {
  const argv = withHelpOption(args);
  let exitCode: ExitCode = exitCodes.ok;
  let called: Parser | null = null;
  await using opened = new AsyncDisposableStack();
  const program = createProgram({ host, version, argv }, async (command, parser, globals) => {
    called = parser;
    const context = contextOf(argv, globals, { host, opened });
    try {
      exitCode = (await command.run(parser, context)) ?? exitCodes.ok;
    } finally {
      context.out.endProgress();
    }
  });
  try {
    // before parsing, because an error about another argument would repeat the key
    const secretError = refuseSecrets(argv);
    if (secretError !== null) throw secretError;
    // the parser answers a request for help before it looks up the command
    const parsed = namesUnknownCommand(argv) ? argv.filter((word) => word !== "--help" && word !== "-h") : argv;
    await program.parseAsync(parsed, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const failure =
      error instanceof Failure
        ? error
        : await (
            await import("./explain-error.ts")
          ).explainError(error, {
            called: called ?? program,
            access: accessOf(locationOf(program.opts<Globals>()), host),
          });
    const rewrite = hintRewriter(host, locationOf(program.opts<Globals>()));
    host.stderr.write(
      `${program.opts<Globals>().json === true || argv.includes("--json") ? asJson(failure) : asText(failure, rewrite)}\n`,
    );
    return failure.exitCode;
  }
}

/** Null for the daemon on this machine. */
function accessOf(location: DaemonLocation, host: Host): RemoteAccess | null {
  const profile = chooseProfile(location, host);
  return profile === null ? null : { profile, tokenFile: host.environment["BELFRY_TOKEN_FILE"] || null };
}

function contextOf(
  argv: readonly string[],
  globals: Globals,
  { host, opened }: { readonly host: Host; readonly opened: AsyncDisposableStack },
): Context {
  const location = locationOf(globals);
  const timeoutMs = readTimeout(globals.requestTimeout);
  const out = new Output(host, globals.json === true, hintRewriter(host, location));
  const connectLocal = async (place: DaemonLocation) => {
    if (host.ownsProcess) useLeanFetch();
    out.progress(() => "Waiting for the daemon");
    return (await import("./connect.ts")).connect(place, host, timeoutMs);
  };
  const connectTo = async (place: DaemonLocation) => {
    const profile = chooseProfile(place, host);
    if (profile === null) return connectLocal(place);
    if (host.ownsProcess) useLeanFetch();
    out.progress(() => `Waiting for the daemon of profile ${JSON.stringify(profile)}`);
    const { connectProfile } = await import("./profiles/connect-profile.ts");
    return opened.use(await connectProfile(profile, { host, out, timeoutMs }));
  };
  const chosen = () => chooseProfile(location, host);
  return {
    argv,
    host,
    location,
    profile: chosen,
    timeoutMs,
    out,
    connect: () => connectTo(location),
    connectTo,
    connectLocal: async () => (chosen() === null ? connectLocal(location) : null),
  };
}

function locationOf({ socket, dataDir, profile }: Globals): DaemonLocation {
  return { socket: socket ?? null, dataDir: dataDir ?? null, profile: profile ?? null };
}

function readTimeout(text: string | undefined): number | null {
  if (text === undefined) return null;
  const timeoutMs = readDuration(text);
  if (timeoutMs !== null && timeoutMs > 0) return timeoutMs;
  throw usage(explainDuration(text, "--request-timeout"));
}

/** A message may come from a daemon on another machine, which must not control the terminal. */
function asText({ text, hint }: Failure, rewrite: Rewrite): string {
  return `belfry: ${rewrite(text)}${hint === null ? "" : `\n${rewrite(hint)}`}`.split("\n").map(printable).join("\n");
}

function asJson({ code, field, message, exitCode }: Failure): string {
  return JSON.stringify({ error: { code, field, message, exit_code: exitCode } });
}
