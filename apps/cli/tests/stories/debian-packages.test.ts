import { tempDir } from "@belfry/test-kit";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canHaveUsers, mustHaveUsers } from "../../../../packages/server/tests/support/processes/other-users.ts";
import { useBundle } from "../bundled.ts";
import { openMachine } from "../system-machine.ts";

const belfry = useBundle();

/** The packages of Debian whose crontabs are imported. `.ci/run` downloads them into the folder below. */
const packages = readFileSync(new URL("../fixtures/crontabs/debian-packages.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((name) => name !== "");
const folder = process.env["BELFRY_CRONTAB_PACKAGES"];
const canImport = folder !== undefined && canHaveUsers;

test("continuous integration has Debian's packages", () => {
  expect(packages.length).toBeGreaterThanOrEqual(25);
  expect(canHaveUsers || !mustHaveUsers).toBe(true);
  const isDownloaded = folder !== undefined && existsSync(join(folder, "complete"));
  expect(isDownloaded || process.env["CI"] !== "true", "BELFRY_CRONTAB_PACKAGES names their folder").toBe(true);
});

/** Unpacks the packages. Returns the files of /etc/cron.d that they contain. */
async function readCrontabs(): Promise<Record<string, Buffer>> {
  await using dir = await tempDir();
  const found: Record<string, Buffer> = {};
  const files = readdirSync(folder!);
  for (const name of packages) {
    const file = files.find((each) => each.startsWith(`${name}_`));
    if (file === undefined) throw new Error(`the package ${name} is not in ${folder}`);
    const target = join(dir.path, name);
    execFileSync("dpkg-deb", ["--extract", join(folder!, file), target]);
    const cronD = join(target, "etc", "cron.d");
    const crontabs = existsSync(cronD) ? readdirSync(cronD).filter((each) => !each.startsWith(".")) : [];
    if (crontabs.length === 0) throw new Error(`the package ${name} has no crontab`);
    for (const crontab of crontabs) found[crontab] = readFileSync(join(cronD, crontab));
  }
  return found;
}

interface Job {
  readonly line: number;
  readonly user: string;
  readonly command: string;
}

/** Reads the jobs without our parser: five fields or a nickname, a user, and the rest. */
function jobsOf(text: string): readonly Job[] {
  return text.split("\n").flatMap((line, index) => {
    const [, user, command] = /^\s*(?:@\w+|[\d*](?:\S*\s+){4}\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return user === undefined || command === undefined ? [] : [{ line: index + 1, user, command }];
  });
}

interface Line {
  readonly line: number;
  readonly outcome: string;
  readonly text: string;
}

/** A user of some of these crontabs that the machine does not have. */
const absent = "logcheck";

test.skipIf(!canImport)(
  "every line of the crontabs that Debian's packages ship is imported with its user, or rejected for a reason",
  async () => {
    const crontabs = await readCrontabs();
    const texts = Object.entries(crontabs).map(([name, bytes]) => [name, bytes.toString("utf8")] as const);
    const users = [...new Set(texts.flatMap(([, text]) => jobsOf(text).map(({ user }) => user)))];
    expect(users).toContain(absent);
    const known = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":")[0]);
    await using machine = await openMachine({
      belfry,
      crontabs,
      users: users.filter((user) => user !== absent && !known.includes(user)),
    });
    let taken = 0;
    const rejected: string[] = [];
    for (const [name, text] of texts) {
      const jobs = jobsOf(text);
      const { code, answer } = await machine.run(
        "import",
        "crontab",
        `/etc/cron.d/${name}`,
        "--system",
        "--skip-unsupported",
      );
      if (jobs.length === 0) {
        // every job of the file is a comment
        expect([name, code, answer]).toEqual([name, 2, null]);
        continue;
      }
      const lines = answer.lines as readonly Line[];
      expect(
        lines.map(({ line }) => line),
        name,
      ).toEqual(
        text
          .replace(/\n$/, "")
          .split("\n")
          .map((_, index) => index + 1),
      );
      // comments and empty lines aside, every line is a job or a setting
      const outcomes = ["taken", "refused", "left_out"];
      for (const [index, line] of text.replace(/\n$/, "").split("\n").entries())
        expect(/^\s*(#|$)/.test(line) ? ["none"] : outcomes, `${name}: ${line}`).toContain(lines[index]!.outcome);
      const imported = jobs.filter(({ line }) => lines[line - 1]!.outcome === "taken");
      for (const { outcome, text: reason } of lines) if (outcome === "refused") rejected.push(`${name}: ${reason}`);
      expect(code, name).toBe(imported.length > 0 ? 0 : 2);
      if (imported.length === 0) continue;
      const group = encodeURIComponent(answer.made.groups[0].id);
      const { tasks } = await machine.call("GET", `/v1/tasks?group_id=${group}&limit=1000`);
      const asImported = (tasks as readonly { readonly description: string; readonly run_as: string | null }[]).map(
        ({ description, run_as }) => `${/line (\d+)$/.exec(description)?.[1]} ${run_as ?? "root"}`,
      );
      expect(asImported.toSorted(), name).toEqual(imported.map(({ line, user }) => `${line} ${user}`).toSorted());
      taken += imported.length;
    }
    console.info(
      `${packages.length} packages, ${texts.length} crontabs: ${taken} jobs imported, ${rejected.length} rejected`,
    );
    expect(
      rejected.filter((reason) => !reason.includes(`: the user ${absent} does not exist on this machine`)),
    ).toEqual([]);
    expect(rejected.length).toBeGreaterThan(0);
  },
);
