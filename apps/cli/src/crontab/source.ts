import { basename, resolve } from "node:path";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readText } from "../input/text.ts";

export interface CrontabSource {
  readonly text: string;
  /** As given on the command line, for a command that the user can copy. */
  readonly argument: string;
  /** As descriptions and messages show it. */
  readonly name: string;
  /** The owner, if the path contains it. */
  readonly owner: string | null;
  /** Default name of the group. */
  readonly groupName: string;
}

/** Reads a file, or standard input for `-`, and for no path if input is piped. */
export async function readSource(path: string | undefined, host: Host): Promise<CrontabSource> {
  if (path !== undefined && path !== "-") {
    const name = resolve(path);
    const argument = /^[\w./+-]+$/.test(path) ? path : JSON.stringify(path);
    return {
      text: await readText(path, host, { subject: `the crontab ${path}` }),
      argument,
      name,
      owner: ownerOf(name),
      groupName: basename(name),
    };
  }
  if (path === undefined && host.stdin.isTTY === true) {
    throw usage(
      "missing crontab: give a file, or pipe a crontab to standard input",
      "For example: crontab -l | belfry import crontab -",
    );
  }
  return { text: await readText("-", host), argument: "-", name: "standard input", owner: null, groupName: "crontab" };
}

/** Debian, Red Hat and SUSE name the crontab file of each user after the user. */
export function ownerOf(path: string): string | null {
  return /^\/var\/spool\/cron\/(?:(?:crontabs|tabs)\/)?([^/]+)$/.exec(path)?.[1] ?? null;
}
