import { basename, resolve } from "node:path";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readText } from "../input/text.ts";

export interface CrontabSource {
  readonly text: string;
  /** As it was given on the command line, for a command to repeat. */
  readonly argument: string;
  /** As descriptions and messages name it. */
  readonly name: string;
  /** Whose it is, where its place says so. */
  readonly owner: string | null;
  /** What the group is called unless told otherwise. */
  readonly groupName: string;
}

/** A file, or standard input: for `-`, and for nothing where something is piped in. */
export async function readSource(path: string | undefined, host: Host): Promise<CrontabSource> {
  if (path !== undefined && path !== "-") {
    const name = resolve(path);
    const argument = /^[\w./+-]+$/.test(path) ? path : JSON.stringify(path);
    return { text: await readText(path, host), argument, name, owner: ownerOf(name), groupName: basename(name) };
  }
  if (path === undefined && host.stdin.isTTY === true) {
    throw usage("which crontab? Name a file, or pipe one in", "crontab -l | belfry import crontab -");
  }
  return { text: await readText("-", host), argument: "-", name: "standard input", owner: null, groupName: "crontab" };
}

/** Debian, Red Hat and SUSE keep each user's crontab under the name of the user. */
export function ownerOf(path: string): string | null {
  return /^\/var\/spool\/cron\/(?:(?:crontabs|tabs)\/)?([^/]+)$/.exec(path)?.[1] ?? null;
}
