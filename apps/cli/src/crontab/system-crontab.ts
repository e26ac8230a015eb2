import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { usage } from "../failure.ts";
import { findUsers } from "./accounts.ts";
import { cronPath } from "./cron-environment.ts";
import type { CrontabLine } from "./lines.ts";
import type { CrontabSource } from "./source.ts";

/**
 * Refuses a system crontab that is imported as a user's. The two forms look alike, and a user taken for a program
 * would fail at each run.
 */
export async function refuseSystemCrontab(source: CrontabSource, lines: readonly CrontabLine[]): Promise<void> {
  const why = isSystemPlace(source.name)
    ? `${source.name} is a system crontab: it names a user before each command`
    : await explainUsers(source, lines);
  if (why === null) return;
  throw usage(
    why,
    `Use: belfry import crontab ${source.argument} --system\nIf this is a user's own crontab, use --user instead.`,
  );
}

function isSystemPlace(path: string): boolean {
  return path === "/etc/crontab" || path.startsWith("/etc/cron.d/");
}

async function explainUsers(source: CrontabSource, lines: readonly CrontabLine[]): Promise<string | null> {
  const firstWords = firstWordsOf(lines);
  const words = [...new Set(firstWords.map(({ word }) => word))];
  if (!(await areUsers(words))) return null;
  for (const { word, path } of firstWords) {
    if (await isOnPath(word, path)) continue;
    const named = words.length > 3 ? `${words.slice(0, 3).join(", ")}, …` : words.join(", ");
    return `${source.name} looks like a system crontab: every command begins with a user of this machine (${named})`;
  }
  return null;
}

interface FirstWord {
  readonly word: string;
  /** Where the job would look for a program of that name. */
  readonly path: string;
}

function firstWordsOf(lines: readonly CrontabLine[]): readonly FirstWord[] {
  let path = cronPath;
  return lines.flatMap((line) => {
    if (line.kind === "environment" && line.name === "PATH") path = line.value;
    return line.kind === "job" ? [{ word: line.command.split(/[ \t]/, 1)[0]!, path }] : [];
  });
}

/** All of them; a command that cannot be a user's name settles it without a look. */
async function areUsers(words: readonly string[]): Promise<boolean> {
  if (words.length === 0 || !words.every((word) => /^[A-Za-z_][\w.-]*\$?$/.test(word))) return false;
  return (await findUsers(words)).size === words.length;
}

async function isOnPath(program: string, path: string): Promise<boolean> {
  for (const folder of path.split(":")) {
    const place = join(folder, program);
    const isProgram = await Promise.all([stat(place), access(place, constants.X_OK)]).then(
      ([found]) => found.isFile(),
      () => false,
    );
    if (isProgram) return true;
  }
  return false;
}
