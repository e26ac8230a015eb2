import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { checkBackup, restoreBackup } from "./features/backups/index.ts";
import { createDaemon, type Daemon } from "./daemon.ts";
import { systemClock, within } from "./kernel/time/clock.ts";
import { type Config, readConfig, readProcessFacts, type Overrides } from "./kernel/config/config.ts";
import { type Console, createConsole } from "./kernel/log/console.ts";
import { checkDatabase } from "./kernel/storage/database-check.ts";
import { describeError, StartError } from "./kernel/errors/errors.ts";
import { createLog, formatHumanLine, type LogSink } from "./kernel/log/log.ts";
import { createLogFile } from "./kernel/log/log-file.ts";
import { openTerminal } from "./kernel/log/terminal.ts";
import { asStartError } from "./kernel/errors/start-error.ts";
import { quoteForShell } from "./kernel/quote-for-shell.ts";

const usage = `belfryd, the Belfry daemon. Runs in the foreground until SIGTERM or SIGINT. Running tasks continue without the daemon.

  --data-dir DIR     directory for all data (BELFRY_DATA_DIR;
                     default: ~/.local/share/belfry, or /var/lib/belfry for root)
  --socket PATH      path of the socket (BELFRY_SOCKET; default: belfry.sock in the data directory, or
                     $XDG_RUNTIME_DIR/belfry/belfry.sock if that variable is set and no data directory is given)
  --config FILE      configuration file (BELFRY_CONFIG; default: config.toml in the data directory)
  --log-level LEVEL  minimum level to log: debug, info, warn or error
                     (default: log.level of the configuration file, or info)
  --check-database   check the whole database without changing it: print one line for each table,
                     and exit with 1 if a table is damaged
  --check-backup FILE
                     read a whole backup, and exit with 1 if it cannot be restored
  --restore-backup FILE
                     restore a backup into the empty data directory; the daemon then starts held
  --passphrase-stdin read the passphrase of the backup from standard input
  --called-as NAME   the command in what the daemon suggests (default: belfry)
  --version          print the version
  --help             print this text
`;

/** How long the daemon waits at its end for its console output to be read. */
const drainMs = 1_000;
/** How long a failed daemon may take to stop. */
const stopMaxMs = 10_000;

/** Runs the daemon as a program, with arguments, signals, console output and an exit code. */
export async function runDaemon(args: readonly string[]): Promise<number> {
  const version = readVersion();
  let overrides: ReturnType<typeof readArguments>;
  try {
    overrides = readArguments(args);
  } catch (error) {
    process.stderr.write(`belfryd: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  if (overrides.help === true) return print(usage);
  if (overrides.version === true) return print(`belfryd ${version}\n`);
  try {
    if (overrides.checkDatabase === true) return printCheck(readConfig(overrides).paths.database);
    if (overrides.checkBackup !== undefined || overrides.restoreBackup !== undefined)
      return printJson(await readBackup(overrides));
    return await serve(overrides, version);
  } catch (error) {
    return fail(error, 1);
  }
}

function fail(error: unknown, exitCode: number): number {
  process.stderr.write(`belfryd: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}\n`);
  return exitCode;
}

/** Checks or restores a backup. A signal ends that as a failure does, so that nothing is left. */
async function readBackup(overrides: ReturnType<typeof readArguments>): Promise<object> {
  const interrupted = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(signal, () =>
      interrupted.abort(new StartError("the command was interrupted, and nothing was changed")),
    );
  const passphrase = readPassphrase(overrides);
  const { signal } = interrupted;
  const { checkBackup: checked, restoreBackup: restored } = overrides;
  if (checked !== undefined) return checkBackup({ file: checked, passphrase, signal });
  return restoreBackup({ file: restored!, passphrase, signal, paths: readConfig(overrides).paths });
}

interface Started extends Overrides {
  /** The command by which the daemon was started, as its user would type it again. */
  readonly calledAs?: string | undefined;
}

async function serve(overrides: Started, version: string): Promise<number> {
  // tasks get the umask that the daemon was started with
  const umask = process.umask(0o077);
  let config: Config;
  try {
    config = readConfig(overrides);
  } catch (error) {
    // another code than that of a crash, so that a service manager need not try again what a person has to correct
    return fail(error, 2);
  }
  await using file = createLogFile(config.paths.log);
  const terminal = process.stdout.isTTY ? openTerminal(process.stdout.fd, systemClock) : null;
  const watching = createConsole(terminal ?? process.stdout);
  process.stderr.on("error", () => {});
  const sinks: readonly LogSink[] = [(entry) => watching.write(formatHumanLine(entry)), file.sink];
  const log = createLog(systemClock, config.logLevel, sinks);
  const stopped = stopSignal();
  const failed = firstUncaught();
  const starting = createDaemon({
    config,
    version,
    umask,
    log,
    clock: systemClock,
    ...readProcessFacts(),
    overrideGlobalObjects: true,
  });
  let daemon: Daemon | null;
  try {
    daemon = await Promise.race([
      starting,
      stopped.then(() => null),
      failed.then(({ error }) => Promise.reject(error)),
    ]);
  } catch (error) {
    await within(systemClock, stopMaxMs, stopIfStarted(starting));
    const reason = asStartError(error, config.paths);
    // the console shows only the message; the log has the cause too
    if (reason.cause !== undefined)
      createLog(systemClock, "error", [file.sink]).error("daemon.not_started", { error: describeError(reason) });
    throw reason;
  }
  if (daemon === null) {
    // the start may wait for something that never comes
    await within(systemClock, stopMaxMs, stopIfStarted(starting));
    log.info("daemon.stopped");
    return 0;
  }
  greet(daemon, watching, overrides);
  const end = await Promise.race([stopped, failed, daemon.superseded]);
  if ("signal" in end) {
    log.info("daemon.stopping", { signal: end.signal });
    await daemon.stop();
  } else {
    // the state in memory is unknown; the next daemon reads its work from the database
    log.error("daemon.failed", { error: describeError(end.error) });
    await within(systemClock, stopMaxMs, daemon.stop());
  }
  log.info("daemon.stopped");
  await watching.drained(systemClock, drainMs);
  return "signal" in end ? 0 : 1;
}

/** Stops the daemon once it has started. An uncaught error may arrive while the start is still in progress. */
async function stopIfStarted(starting: Promise<Daemon>): Promise<void> {
  try {
    await (await starting).stop();
  } catch {
    // a failed start undoes itself
  }
}

function greet(daemon: Daemon, watching: Console, { dataDir, socket, calledAs = "belfry" }: Started): void {
  if (!hasNoTasks(daemon)) return;
  const place = [
    ["--data-dir", dataDir],
    ["--socket", socket],
  ].flatMap(([option, value]) => (value === undefined ? [] : [` ${option} ${quoteForShell(value)}`]));
  const command = quoteForShell(calledAs);
  const belfry = `${command}${place.join("")}`;
  watching.write(`
Belfry is running, and has no tasks yet. In another terminal, try these commands:

  ${belfry} task add "Say hello" --every 10s -- echo hello
  crontab -l | ${belfry} import crontab - --dry-run
  ${belfry} ui
  ${command} --help

`);
}

/** Whether the daemon has no tasks. A damaged table counts as tasks: it must not prevent a start. */
function hasNoTasks(daemon: Daemon): boolean {
  try {
    return daemon.isEmpty();
  } catch {
    return false;
  }
}

function stopSignal(): Promise<{ readonly signal: NodeJS.Signals }> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve({ signal }));
    // closing the terminal does not stop the daemon
    process.on("SIGHUP", () => {});
  });
}

/** Resolves with the first uncaught error. A second one must not interrupt the stop. */
function firstUncaught(): Promise<{ readonly error: unknown }> {
  return new Promise((resolve) => void process.on("uncaughtException", (error: unknown) => resolve({ error })));
}

function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "data-dir": { type: "string" },
      socket: { type: "string" },
      config: { type: "string" },
      "log-level": { type: "string" },
      "check-database": { type: "boolean" },
      "check-backup": { type: "string" },
      "restore-backup": { type: "string" },
      "passphrase-stdin": { type: "boolean" },
      "called-as": { type: "string" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
    },
  });
  // most often an unset variable; an empty path would be the current directory
  for (const name of ["data-dir", "socket", "config"] as const)
    if (values[name] === "") throw new Error(`--${name} is empty: give a path, or leave the option out`);
  return {
    dataDir: values["data-dir"],
    socket: values.socket,
    config: values.config,
    logLevel: values["log-level"],
    checkDatabase: values["check-database"],
    checkBackup: values["check-backup"],
    restoreBackup: values["restore-backup"],
    passphraseStdin: values["passphrase-stdin"],
    calledAs: values["called-as"],
    help: values.help,
    version: values.version,
  };
}

/** Prints one line with a JSON object for each table; returns the exit code. */
function printCheck(database: string): number {
  let isSound = true;
  for (const check of checkDatabase(database)) {
    print(`${JSON.stringify(check)}\n`);
    isSound &&= check.problems.length === 0;
  }
  return isSound ? 0 : 1;
}

function readPassphrase({ passphraseStdin }: ReturnType<typeof readArguments>): string | null {
  return passphraseStdin === true ? readFileSync(0, "utf8").trim() : null;
}

function printJson(value: object): number {
  return print(`${JSON.stringify(value)}\n`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** Reads the package's own version, from the source and from the bundle. */
function readVersion(): string {
  const path = new URL(import.meta.url.endsWith(".ts") ? "../package.json" : "../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly version: string }).version;
}
