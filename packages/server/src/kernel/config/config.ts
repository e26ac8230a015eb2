import { parseBy } from "@belfry/contract";
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism, uptime } from "node:os";
import { dirname, resolve } from "node:path";
import { parse as parseToml, TomlError } from "smol-toml";
import { z } from "zod";
import { StartError } from "../errors/errors.ts";
import { whyUnreadable } from "../errors/start-error.ts";
import { type FireSocketConfig, readFireSocket, TriggersSection } from "./fire-socket-config.ts";
import { inheritedEnvironment } from "./inherited-environment.ts";
import { type OwnAccount, readOwnAccount } from "./own-account.ts";
import { readRemote, type RemoteConfig, RemoteSection } from "./remote-config.ts";
import { type LogLevel, logLevels } from "../log/log.ts";
import { choosePaths, type Paths } from "../files/paths.ts";
import { findRisk, readTrustedFile, requireTrusted } from "../files/trusted-file.ts";
import { readWallClock } from "../time/time.ts";

/** Read once and passed down: besides `bin.ts`, no file reads the environment. */
export interface Config {
  readonly paths: Paths;
  readonly logLevel: LogLevel;
  /** The maximum number of concurrent runs of all tasks. */
  readonly runsAtOnceMax: number;
  /** The default time zone of schedules. */
  readonly zone: string;
  /** The variables of the daemon's environment that every task's process starts with. */
  readonly baseEnvironment: Readonly<Record<string, string>>;
  readonly account: OwnAccount;
  /** The working directory of tasks without one. */
  readonly homeDirectory: string;
  /** Whether the daemon holds everything if its data came from another machine. */
  readonly holdWhenMoved: boolean;
  readonly webhooks: WebhookConfig;
  readonly remote: RemoteConfig;
  /** Null while the socket is off. */
  readonly fireSocket: FireSocketConfig | null;
  /** The absolute paths of the certificates and keys that the configuration names. */
  readonly configuredFiles: readonly string[];
}

export interface WebhookConfig {
  /** Whether webhooks to private addresses are rejected. */
  readonly denyPrivate: boolean;
  /** PEM certificates that are trusted in addition to Node's own. */
  readonly ca: string | null;
  /** The name servers for the hosts of endpoints; null for the system's. */
  readonly dnsServers: readonly string[] | null;
}

/** The settings of the command line, which take precedence. */
export interface Overrides {
  readonly dataDir?: string | undefined;
  readonly socket?: string | undefined;
  readonly config?: string | undefined;
  readonly logLevel?: string | undefined;
}

const portMax = 65_535;

const ConfigFile = z.strictObject({
  log: z.strictObject({ level: z.enum(logLevels).optional() }).optional(),
  webhooks: z
    .strictObject({
      deny_private: z.boolean().optional(),
      ca_file: z.string().min(1).optional(),
      dns_servers: z.array(z.string().min(1)).min(1).max(10).optional(),
    })
    .optional(),
  daemon: z.strictObject({ hold_when_moved: z.boolean().optional() }).optional(),
  engine: z.strictObject({ max_concurrent_runs: z.int().min(1).max(10_000).optional() }).optional(),
  remote: RemoteSection.optional(),
  triggers: TriggersSection.optional(),
});

export function readConfig(overrides: Overrides, environment: NodeJS.ProcessEnv = process.env): Config {
  const account = readOwnAccount();
  const paths = choosePaths({
    dataDir: overrides.dataDir ?? nonEmpty(environment["BELFRY_DATA_DIR"]),
    socket: overrides.socket ?? nonEmpty(environment["BELFRY_SOCKET"]),
    config: overrides.config ?? nonEmpty(environment["BELFRY_CONFIG"]),
    runtimeDir: nonEmpty(environment["XDG_RUNTIME_DIR"]),
    isRoot: account.isRoot,
  });
  const file = paths.config === null ? {} : readConfigFile(paths.config);
  const baseEnvironment = inheritedEnvironment(environment);
  const remote = remoteOf(file, paths.config);
  if (remote.enabled && remote.key !== null)
    requireTrusted("the private key", remote.key, findRisk(remote.key, { isSecret: true }));
  return {
    paths,
    logLevel: readLevel(overrides.logLevel) ?? file.log?.level ?? "info",
    runsAtOnceMax: file.engine?.max_concurrent_runs ?? 4 * availableParallelism(),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    baseEnvironment,
    account,
    // service accounts often have a home directory that does not exist, such as /nonexistent
    homeDirectory: existsSync(`${baseEnvironment.HOME}/.`) ? baseEnvironment.HOME : "/",
    holdWhenMoved: file.daemon?.hold_when_moved ?? true,
    webhooks: {
      denyPrivate: file.webhooks?.deny_private ?? false,
      ca: readCertificates(file.webhooks?.ca_file, paths.config),
      dnsServers: readServers(file.webhooks?.dns_servers, paths.config),
    },
    remote,
    fireSocket: readFireSocket(file.triggers, (path) => besideConfig(path, paths.config), paths),
    configuredFiles: [
      ...(file.webhooks?.ca_file === undefined ? [] : [besideConfig(file.webhooks.ca_file, paths.config)]),
      ...[remote.certificate, remote.key, remote.authority].filter((path) => path !== null),
    ],
  };
}

/** A relative path in the configuration file is relative to that file. */
function besideConfig(path: string, configPath: string | null): string {
  return resolve(dirname(configPath ?? "."), path);
}

/** Reads the section `[remote]` again, because it may have changed since the start. */
export function readRemoteAgain(path: string): RemoteConfig {
  return remoteOf(existsSync(path) ? readConfigFile(path) : {}, path);
}

function remoteOf(file: z.output<typeof ConfigFile>, configPath: string | null): RemoteConfig {
  return readRemote(file.remote, (path) => besideConfig(path, configPath));
}

/** Reads the certificates. */
function readCertificates(file: string | undefined, configPath: string | null): string | null {
  if (file === undefined) return null;
  const path = besideConfig(file, configPath);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new StartError(`webhooks.ca_file ${path} ${whyUnreadable(error)}`, error);
  }
  const pems = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (pems.length === 0)
    throw new StartError(`webhooks.ca_file ${path} contains no PEM certificate: give a file with at least one`);
  if (!pems.every(canRead))
    throw new StartError(`webhooks.ca_file ${path} contains a damaged certificate: replace the file`);
  return text;
}

function canRead(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function readServers(servers: readonly string[] | undefined, configPath: string | null): readonly string[] | null {
  if (servers === undefined) return null;
  const wrong = servers.find((server) => !isServerAddress(server));
  if (wrong === undefined) return servers;
  throw new StartError(
    `the configuration ${configPath} is not valid: webhooks.dns_servers contains ${JSON.stringify(wrong)}. Use addresses such as 192.0.2.53 or 192.0.2.53:5353`,
  );
}

function isServerAddress(text: string): boolean {
  const groups = /^(?:\[(?<v6>.+)\]|(?<v4>[\d.]+))(?::(?<port>\d{1,5}))?$/.exec(text)?.groups;
  return isIP(groups?.["v6"] ?? groups?.["v4"] ?? text) !== 0 && Number(groups?.["port"] ?? 0) <= portMax;
}

function readConfigFile(path: string): z.output<typeof ConfigFile> {
  let text: string;
  try {
    const read = readTrustedFile(path);
    requireTrusted("the configuration", path, read.risk);
    text = read.text;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`the configuration ${path} ${whyUnreadable(error)}`, error);
  }
  let parsed: unknown;
  try {
    parsed = parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new StartError(
      `the configuration ${path} is not valid TOML at line ${error.line}: ${error.message.split("\n")[0]}`,
      error,
    );
  }
  const { data, fault } = parseBy(ConfigFile, parsed);
  if (fault === null) return data;
  throw new StartError(`the configuration ${path} is not valid: ${fault.path.join(".")} ${fault.predicate}`);
}

function readLevel(text: string | undefined): LogLevel | undefined {
  if (text === undefined) return undefined;
  const level = logLevels.find((known) => known === text);
  if (level === undefined)
    throw new StartError(`--log-level must be one of ${logLevels.join(", ")}, not ${JSON.stringify(text)}`);
  return level;
}

function nonEmpty(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

/** Reads facts about this process: its machine and the boot of it, and the limit of open files for its tasks. */
export function readProcessFacts() {
  return { bootId: readBootId(), machineId: readMachineId(), openFilesMax: readParentOpenFiles() };
}

/** Returns the id of this machine, or null if it has none: some containers have an empty file. */
function readMachineId(): string | null {
  try {
    const id = readFileSync("/etc/machine-id", "latin1").trim();
    return /^[0-9a-f]{32}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

/**
 * Reads the limit of open files from the parent process, because Node has raised its own. Process 1 is not read: it
 * gives services other limits than its own.
 */
function readParentOpenFiles(): number | null {
  if (process.ppid <= 1) return null;
  try {
    const [own, parent] = ["self", process.ppid].map((pid) =>
      /^Max open files\s+(\S+)\s+(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, "latin1")),
    );
    return own?.[2] !== undefined && own[2] === parent?.[2] ? Number(parent[1]) || null : null;
  } catch {
    return null;
  }
}

/** Returns the kernel's id of this boot. Outside Linux, it is made from the time at which the boot began. */
function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return `boot-${Math.round(readWallClock() / 1_000 - uptime())}`;
  }
}
