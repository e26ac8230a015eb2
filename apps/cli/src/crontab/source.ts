import { basename, resolve } from "node:path";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readText } from "../input/text.ts";
import type { CrontabForm, CrontabLine } from "./lines.ts";

interface CrontabSource {
  readonly text: string;
  /** As descriptions and messages name it. */
  readonly name: string;
  /** What the group is called unless told otherwise. */
  readonly groupName: string;
}

/** A file, or standard input: for `-`, and for nothing where something is piped in. */
export async function readSource(path: string | undefined, host: Host): Promise<CrontabSource> {
  if (path !== undefined && path !== "-") {
    const name = resolve(path);
    return { text: await readText(path, host), name, groupName: basename(name) };
  }
  if (path === undefined && host.stdin.isTTY === true) {
    throw usage("which crontab? Name a file, or pipe one in", "crontab -l | belfry import crontab -");
  }
  return { text: await readText("-", host), name: "a crontab", groupName: "crontab" };
}

/** The two forms look alike: a user's column read as a program, or a program as a user, would fail at each run. */
export function checkForm(source: CrontabSource, lines: readonly CrontabLine[], form: CrontabForm): void {
  if (form === "system") return;
  const isSystemPlace = source.name === "/etc/crontab" || source.name.startsWith("/etc/cron.d/");
  const jobs = lines.filter((line) => line.kind === "job");
  const beginsWithRoot = jobs.length > 0 && jobs.every((job) => /^root\s/.test(job.command));
  if (!isSystemPlace && !beginsWithRoot) return;
  const why = isSystemPlace
    ? `${source.name} is a system crontab`
    : `every command of ${source.name} begins with "root"`;
  throw usage(`${why}: its sixth column is a user`, "Say so with --system");
}
