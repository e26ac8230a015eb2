import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createDaemon, type Daemon } from "./daemon.ts";
import { systemClock } from "./kernel/clock.ts";
import { readConfig, readProcess, type Wishes } from "./kernel/config.ts";
import { type Console, createConsole } from "./kernel/console.ts";
import { describeError, StartError } from "./kernel/errors.ts";
import { createLog, formatHumanLine, type LogSink } from "./kernel/log.ts";
import { createLogFile } from "./kernel/log-file.ts";

const usage = `belfryd, the Belfry daemon. Runs in the foreground until SIGTERM or SIGINT; running tasks go on after it.

  --data-dir DIR     where everything is kept (BELFRY_DATA_DIR)
  --socket PATH      the protected socket (BELFRY_SOCKET)
  --config FILE      configuration, else DIR/config.toml (BELFRY_CONFIG)
  --log-level LEVEL  debug, info, warn or error
  --version, --help
`;

/** How long the end of the daemon waits for whoever reads its lines. */
const drainMs = 1_000;

/** The daemon as a program: arguments, signals, lines for a person, exit code. */
export async function runDaemon(args: readonly string[]): Promise<number> {
  const version = readVersion();
  let wishes: Wishes & { readonly help?: boolean | undefined; readonly version?: boolean | undefined };
  try {
    wishes = readArguments(args);
  } catch (error) {
    process.stderr.write(`belfryd: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  if (wishes.help === true) return print(usage);
  if (wishes.version === true) return print(`belfryd ${version}\n`);
  try {
    return await serve(wishes, version);
  } catch (error) {
    process.stderr.write(`belfryd: ${error instanceof StartError ? error.message : describeError(error)}\n`);
    return 1;
  }
}

async function serve(wishes: Wishes, version: string): Promise<number> {
  // taken before the daemon's own: tasks get what the daemon was started with
  const umask = process.umask(0o077);
  const config = readConfig(wishes);
  await using file = createLogFile(config.paths.log);
  const watching = createConsole(process.stdout);
  process.stderr.on("error", () => {});
  const sinks: readonly LogSink[] = [(entry) => watching.write(formatHumanLine(entry)), file.sink];
  const log = createLog(systemClock, config.logLevel, sinks);
  const stopped = stopSignal();
  const daemon = await createDaemon({
    config,
    version,
    umask,
    log,
    clock: systemClock,
    ...readProcess(),
    overrideGlobalObjects: true,
  });
  greet(daemon, watching);
  const signal = await stopped;
  log.info("daemon.stopping", { signal });
  await daemon.stop();
  log.info("daemon.stopped");
  await watching.drained(systemClock, drainMs);
  return 0;
}

function greet(daemon: Daemon, watching: Console): void {
  if (!daemon.isEmpty()) return;
  watching.write(`
Belfry is running, and has no tasks yet. In another terminal, try:

  ./belfry task add "Say hello" --every 10s -- echo hello
  crontab -l | ./belfry import crontab - --dry-run
  ./belfry --help

`);
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, resolve);
    // a terminal that closes does not stop the daemon
    process.on("SIGHUP", () => {});
  });
}

function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "data-dir": { type: "string" },
      socket: { type: "string" },
      config: { type: "string" },
      "log-level": { type: "string" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
    },
  });
  return {
    dataDir: values["data-dir"],
    socket: values.socket,
    config: values.config,
    logLevel: values["log-level"],
    help: values.help,
    version: values.version,
  };
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** The same place seen from `src` and from the bundle: the package's own. */
function readVersion(): string {
  const path = new URL(import.meta.url.endsWith(".ts") ? "../package.json" : "../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly version: string }).version;
}
