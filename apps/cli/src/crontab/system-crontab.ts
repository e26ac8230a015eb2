import { cronPath, type CrontabLine } from "@belfry/crontab";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { usage } from "../failure.ts";
import { findUsers } from "./accounts.ts";
import { isSystemPath } from "./ignored-crontab.ts";
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

/**
 * Finds the lines of a user's crontab whose command starts with a user of this machine and then a program: most likely, they
 * were copied from a system crontab.
 */
export async function findUserWords(lines: readonly CrontabLine[]): Promise<ReadonlyMap<number, string>> {
  const words = firstWordsOf(lines).filter(({ word }) => userName.test(word));
  const users = await findUsers([...new Set(words.map(({ word }) => word))]);
  const found = new Map<number, string>();
  for (const { number, word, next, path } of words) {
    if (!users.has(word) || (await isOnPath(word, path))) continue;
    if (next.startsWith("/") || (next !== "" && (await isOnPath(next, path)))) found.set(number, word);
  }
  return found;
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

const userName = /^[A-Za-z_][\w.-]*\$?$/;

interface FirstWord {
  /** The line. */
  readonly number: number;
  readonly word: string;
  /** The word after it, which is a program if the first word is a user. */
  readonly next: string;
  /** PATH of the job. */
  readonly path: string;
}

function firstWordsOf(lines: readonly CrontabLine[]): readonly FirstWord[] {
  let path = cronPath;
  return lines.flatMap((line) => {
    if (line.kind === "environment" && line.name === "PATH") path = line.value;
    if (line.kind !== "job") return [];
    const [word = "", next = ""] = line.command.split(/[ \t]+/, 2);
    return [{ number: line.number, word, next, path }];
  });
}

/** Whether all of them are users. Words that cannot be user names are not looked up. */
async function areUsers(words: readonly string[]): Promise<boolean> {
  if (words.length === 0 || !words.every((word) => userName.test(word))) return false;
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
