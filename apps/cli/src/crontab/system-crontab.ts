import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { usage } from "../failure.ts";
import { findUsers } from "./accounts.ts";
import { cronPath } from "./cron-environment.ts";
import { isSystemPath } from "./ignored-crontab.ts";
import type { CrontabLine } from "./lines.ts";
import type { CrontabSource } from "./source.ts";

/**
 * Refuses to import a system crontab as a user's. The two forms look alike, and each run would fail with the user name
 * as its program.
 */
export async function refuseSystemCrontab(source: CrontabSource, lines: readonly CrontabLine[]): Promise<void> {
  const reason = isSystemPath(source.name)
    ? `${source.name} is a system crontab, with a user before each command`
    : await explainUsers(source, lines);
  if (reason === null) return;
  throw usage(
    reason,
    `Import it with: belfry import crontab ${source.argument} --system\nIf it is a user's crontab, use --user instead.`,
  );
}

async function explainUsers(source: CrontabSource, lines: readonly CrontabLine[]): Promise<string | null> {
  const firstWords = firstWordsOf(lines);
  const words = [...new Set(firstWords.map(({ word }) => word))];
  if (!(await areUsers(words))) return null;
  for (const { word, path } of firstWords) {
    if (await isOnPath(word, path)) continue;
    const listed = words.length > 3 ? `${words.slice(0, 3).join(", ")}, …` : words.join(", ");
    return `${source.name} looks like a system crontab: every command starts with a user of this machine (${listed})`;
  }
  return null;
}

interface FirstWord {
  readonly word: string;
  /** PATH of the job. */
  readonly path: string;
}

function firstWordsOf(lines: readonly CrontabLine[]): readonly FirstWord[] {
  let path = cronPath;
  return lines.flatMap((line) => {
    if (line.kind === "environment" && line.name === "PATH") path = line.value;
    return line.kind === "job" ? [{ word: line.command.split(/[ \t]/, 1)[0]!, path }] : [];
  });
}

/** Whether all of them are users. Words that cannot be user names are not looked up. */
async function areUsers(words: readonly string[]): Promise<boolean> {
  if (words.length === 0 || !words.every((word) => /^[A-Za-z_][\w.-]*\$?$/.test(word))) return false;
  return (await findUsers(words)).size === words.length;
}

async function isOnPath(program: string, path: string): Promise<boolean> {
  for (const folder of path.split(":")) {
    const file = join(folder, program);
    const isProgram = await Promise.all([stat(file), access(file, constants.X_OK)]).then(
      ([found]) => found.isFile(),
      () => false,
    );
    if (isProgram) return true;
  }
  return false;
}
