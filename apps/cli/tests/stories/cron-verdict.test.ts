import { tempDir } from "@belfry/test-kit";
import { isUtf8 } from "node:buffer";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";
import { emptyValues, lines, unended } from "../fixtures/crontabs/lines.ts";

const guide = new URL("../../../../docs/import-crontab.md", import.meta.url);

/** The lines that cron accepts and Belfry rejects, according to the last table of the guide. */
function readListed(): readonly string[] {
  const [, section = ""] = readFileSync(guide, "utf8").split("## Where Belfry is stricter than cron\n");
  return [...section.matchAll(/^\| `(.+?)` \|/gm)].map(([, cell = ""]) =>
    Buffer.from(cell, "utf8")
      .toString("latin1")
      .replaceAll(/(.)\{(\d+)\}/g, (_, character: string, count: string) => character.repeat(Number(count)))
      .replaceAll(/\\x([\da-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll("\\r", "\r"),
  );
}

interface Answer {
  readonly isFine: boolean;
  readonly output: string;
}

function run(program: string, args: readonly string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(program, args, (error, stdout, stderr) =>
      resolve({ isFine: error === null, output: error?.code === "ENOENT" ? error.message : stdout + stderr }),
    );
  });
}

/** A crontab with this end. It begins with a job, because a file without a job is always rejected. */
function fileOf(end: string): Buffer {
  return Buffer.from(`0 3 * * * first\n${end}`, "latin1");
}

/** The file endings that cron accepts. */
async function acceptedByCron(ends: readonly string[]): Promise<readonly string[]> {
  await using dir = await tempDir();
  const file = join(dir.path, "crontab");
  const taken = [];
  for (const end of ends) {
    await writeFile(file, fileOf(end));
    if ((await run("crontab", ["-n", file])).isFine) taken.push(end);
  }
  return taken;
}

/** The file endings that an import accepts. Complete lines are tested in one file, because the report covers each line. */
async function acceptedByImport(ends: readonly string[]): Promise<readonly string[]> {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const file = join(dir.path, "crontab");
  const importIt = async (end: string) => {
    await writeFile(file, fileOf(end));
    return belfry.call(["import", "crontab", file, "--dry-run", "--json"]);
  };
  const [together = [], alone = []] = [true, false].map((wanted) =>
    ends.filter((end) => (isUtf8(Buffer.from(end, "latin1")) && end.endsWith("\n")) === wanted),
  );
  const report: Report = JSON.parse((await importIt(together.join(""))).stdout);
  expect(report.lines).toHaveLength(together.length + 1);
  const taken = together.filter((_, index) => report.lines[index + 1]!.outcome !== "refused");
  for (const end of alone) if ((await importIt(end)).code === 0) taken.push(end);
  return taken;
}

interface Report {
  readonly lines: readonly { readonly outcome: string }[];
}

test("Debian's cron is installed", async () => {
  const { output } = await run("crontab", ["-h"]);
  expect(output, "an import is compared with the cron of Debian 12 or newer: apt-get install cron").toMatch(
    /-n\s+\(dry run/,
  );
});

const ended = (all: readonly string[]): readonly string[] => all.map((line) => `${line}\n`);

test("an import accepts and rejects the same lines as Debian's cron, except for the lines in the guide", async () => {
  const listed = ended(readListed());
  const ends = [...ended(lines), ...listed, ...unended];
  expect(new Set(ends).size).toBe(ends.length);
  const [byCron, byImport] = [await acceptedByCron(ends), await acceptedByImport(ends)];
  expect(byCron.length).toBeGreaterThan(100);
  expect(ends.length - byCron.length).toBeGreaterThan(80);
  expect(byImport.filter((end) => !byCron.includes(end))).toEqual([]);
  expect(byCron.filter((end) => !byImport.includes(end))).toEqual(listed);
  // about 300 calls of crontab
});

test("an import rejects an empty value without quotes, like the cron of Debian 12", async () => {
  expect(await acceptedByImport(ended(emptyValues))).toEqual([]);
});
