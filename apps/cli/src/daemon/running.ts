import type { Client, RuntimeInfo } from "@belfry/client";
import { existsSync, statSync } from "node:fs";
import { socketPathFor } from "../connect.ts";
import type { Place } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import { holdsSocket, isAlive, readDaemonFile } from "./process.ts";

interface RunningDaemon {
  readonly pid: number;
  readonly socket: string;
  readonly info: RuntimeInfo;
}

/** The daemon that answers, and its process: proven to be the same, or refused. */
export async function findRunningDaemon(client: Client, place: Place, host: Host): Promise<RunningDaemon> {
  const info = await client.runtimeInfo.get();
  const file = readDaemonFile(info.data_dir);
  if (file === null)
    throw new Failure(
      exitCodes.failed,
      `a daemon answers, but ${info.data_dir}/daemon.json does not say which process it is`,
    );
  const socket = socketPathFor(place, host);
  const isSame = isSameFile(file.socket, socket) && isAlive(file.pid) && holdsSocket(file.pid, file.socket) !== false;
  if (!isSame)
    throw new Failure(
      exitCodes.failed,
      `${info.data_dir}/daemon.json names process ${file.pid}, which is not the one that answers at ${socket}; no process was touched`,
    );
  return { pid: file.pid, socket: file.socket, info };
}

function isSameFile(one: string, other: string): boolean {
  if (one === other) return true;
  if (!existsSync(one) || !existsSync(other)) return false;
  const [left, right] = [statSync(one), statSync(other)];
  return left.ino === right.ino && left.dev === right.dev;
}
