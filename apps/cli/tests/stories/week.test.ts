import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followPage } from "../../../../tooling/document-check/src/pages/follow-page.ts";
import { readBlocks } from "../../../../tooling/document-check/src/pages/read-page.ts";
import { newReader } from "../../../../tooling/document-check/src/pages/reader.ts";
import { splitCommands, wordsOfBelfry } from "../../../../tooling/document-check/src/pages/shell-commands.ts";
import { useBundle } from "../bundled.ts";

const belfry = useBundle();
const page = readFileSync(join(import.meta.dirname, "../../../../examples/week/README.md"), "utf8");
const [setUp = "", failure = ""] = page.split("\n## Clean up\n")[0]!.split("\n## When something fails\n");

/** The calls of the command in the blocks that the reader types, with what a loop or a substitution calls. */
const callsIn = (text: string) =>
  readBlocks(text)
    .filter(({ kind }) => kind === "block")
    .flatMap((block) => splitCommands(block.text))
    .map(wordsOfBelfry)
    .filter((words) => words !== null);

test("a week of cron, moved by the commands of its page: a failed backup is found, read and explained in one command each", async () => {
  expect(callsIn(setUp)).toHaveLength(21);
  await using reader = await newReader(belfry);
  await followPage(readBlocks(setUp), reader);

  const print = async (text: string) => {
    const { code, output } = await reader.run({ text, typed: "" });
    expect({ text, code, output }).toMatchObject({ code: 0 });
    return output;
  };
  const { tasks } = JSON.parse(await print("belfry task list --json")) as { tasks: readonly { name: string }[] };
  expect(tasks.map(({ name }) => name).toSorted()).toEqual([
    "Alert",
    "Check the disk",
    "Deploy",
    "Empty the trash",
    "Load",
    "Monthly accounts",
    "Nightly backup",
    "Renew certificates",
    "Report",
    "Sync",
    "Warm the cache",
    "Weekly log rotation",
  ]);

  const [fail, end, look, mend] = readBlocks(failure).map(({ text }) => text);
  await print(fail!);
  await print(end!);
  const questions = look!.trim().split("\n");
  expect(questions).toHaveLength(3);
  const [found, read, explained] = [await print(questions[0]!), await print(questions[1]!), await print(questions[2]!)];
  expect(found).toMatch(/Nightly backup.*exit 1/);
  expect(read).toContain("backup: target is not mounted");
  expect(explained).toMatch(/at .*: The run exited with code 1 /);
  expect(await print(mend!)).toMatch(/copying data\ndone/);
});
