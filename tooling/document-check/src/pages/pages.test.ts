import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useBundle } from "../../../../apps/cli/tests/bundled.ts";
import { repository } from "../../../scripts/run-command.ts";
import { findComplaint, findInlineComplaint } from "./check-block.ts";
import { followPage } from "./follow-page.ts";
import { readBlocks, readInlineCommands } from "./read-page.ts";
import { newReader } from "./reader.ts";

const belfry = useBundle();

const pages = [
  "README.md",
  "apps/cli/README.md",
  ...globSync(["docs/*.md", "examples/*/README.md"], { cwd: repository }).toSorted(),
];

const blocksOf = (page: string) => readBlocks(readFileSync(join(repository, page), "utf8"));

describe.concurrent("a block of a page that cannot be run is right as far as a test can see", () => {
  const all = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, block })));
  test.each(all.map(({ page, block }) => [`${page}:${block.line}`, block] as const))("%s", async (_place, block) => {
    expect(await findComplaint(block)).toBe("");
  });
});

describe("a command in a sentence exists, with its options", () => {
  test.each(pages)("%s", async (page) => {
    const text = readFileSync(join(repository, page), "utf8");
    const complaints = await Promise.all(readInlineCommands(text).map(findInlineComplaint));
    expect(complaints.filter((complaint) => complaint !== "")).toEqual([]);
  });
});

describe("the commands of a page work for a reader who runs them one after the other", () => {
  test.each(pages)("%s", async (page) => {
    const blocks = blocksOf(page).filter(({ language }) => language === "sh");
    const run = blocks.filter(({ kind, onlyChecked }) => kind === "block" && !onlyChecked);
    await using reader = run.length > 0 ? await newReader(belfry) : null;
    expect(reader === null ? 0 : await followPage(blocks, reader)).toBe(run.length);
  });
});
