import { type Client, ConnectionError, type RuntimeInfo, TimeoutError } from "@belfry/client";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { dataDirFor, socketPathFor } from "../connect.ts";
import type { DaemonLocation } from "../daemon-location.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import { pause } from "../pause.ts";
import { findLockHolder, holdsSocket, isAlive, readDaemonFile } from "./process.ts";

interface RunningDaemon {
  readonly pid: number;
  readonly socket: string;
  readonly info: RuntimeInfo;
}

/** A daemon that holds the lock of its data directory, but does not respond. */
interface UnresponsiveDaemon {
  readonly pid: number;
  readonly socket: string;
  readonly info: null;
}

const lookMs = 200;
const startMaxMs = 60_000;

/** Finds the daemon that responds, and verifies which process it is. Waits for one that is starting. */
export async function findRunningDaemon(client: Client, location: DaemonLocation, host: Host): Promise<RunningDaemon> {
  const dataDir = dataDirFor(location, host);
  for (const until = host.now() + startMaxMs; ; await pause(lookMs)) {
    // A daemon writes its file once it listens: until then, the file is that of the former daemon, or is not there.
    // It is read before the question, so that a daemon that starts to listen in between is asked again.
    const listening = dataDir === null ? null : readDaemonFile(dataDir)?.pid;
    const daemon = await findDaemon(client, location, host);
    if (daemon.info !== null) return daemon;
    const isStarting = dataDir !== null && listening !== daemon.pid;
    if (isStarting && host.now() < until) continue;
    throw new Failure(
      exitCodes.unreachable,
      `the daemon is running as process ${daemon.pid}, but does not respond at ${daemon.socket}`,
      { hint: "Check the daemon's log, or stop the daemon with: belfry daemon stop" },
    );
  }
}

/** The same, but also finds an unresponsive daemon, by the lock of its data directory. */
export async function findDaemon(
  client: Client,
  location: DaemonLocation,
  host: Host,
): Promise<RunningDaemon | UnresponsiveDaemon> {
  const socket = socketPathFor(location, host);
  try {
    const info = await client.runtimeInfo.get();
    return { pid: findLockHolder(info.lock_path) ?? pidInFile(info, socket), socket, info };
  } catch (error) {
    if (!(error instanceof ConnectionError) && !(error instanceof TimeoutError)) throw error;
    const dataDir = dataDirFor(location, host);
    const pid = dataDir === null ? null : findLockHolder(join(dataDir, "lock"));
    if (pid === null) throw error;
    return { pid, socket, info: null };
  }
}

const findProcessHint = "Find the daemon's process id with your system's tools, and stop the process with: kill PID";

/** For systems that do not report who holds the lock. */
function pidInFile(info: RuntimeInfo, socket: string): number {
  const file = readDaemonFile(info.data_dir);
  if (file === null)
    throw new Failure(
      exitCodes.failed,
      `cannot find the process of the daemon: ${info.data_dir}/daemon.json is missing or invalid`,
      { hint: findProcessHint },
    );
  const isSame = isSameFile(file.socket, socket) && isAlive(file.pid) && holdsSocket(file.pid, file.socket) !== false;
  if (!isSame)
    throw new Failure(
      exitCodes.failed,
      `${info.data_dir}/daemon.json names process ${file.pid}, which is not the daemon at ${socket}. No process was stopped`,
      { hint: findProcessHint },
    );
  return file.pid;
}

function isSameFile(one: string, other: string): boolean {
  if (one === other) return true;
  if (!existsSync(one) || !existsSync(other)) return false;
  const [left, right] = [statSync(one), statSync(other)];
  return left.ino === right.ino && left.dev === right.dev;
}
