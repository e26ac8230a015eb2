import { expect, test } from "vitest";
import { followPage } from "./follow-page.ts";
import { readBlocks } from "./read-page.ts";
import { newReader } from "./reader.ts";

const follow = (...blocks: readonly string[]) => followFor(100, blocks);
const followFor = async (runsForMs: number, blocks: readonly string[]) => {
  await using reader = await newReader(["true"]);
  return await followPage(readBlocks(blocks.join("\n")), reader, runsForMs);
};
const sh = (text: string) => `\`\`\`sh\n${text}\n\`\`\`\n`;

test("a later block finds the directory, the variables and the files of an earlier one", async () => {
  expect(
    await follow(
      sh("mkdir a && cd a && export B=c"),
      sh('[ "$(basename "$PWD") $B" = "a c" ] && echo d > e'),
      sh("cat ~/a/e"),
    ),
  ).toBe(3);
});

test("a block that fails in any of its lines fails the page with its output", async () => {
  await expect(follow(sh("true"), sh("echo seen\nfalse\ntrue"))).rejects.toThrow(/line 6: exit code 1[^]*seen/);
  await expect(follow(sh("false | true"))).rejects.toThrow("exit code 1");
});

test("a placeholder is filled in from what an earlier block printed", async () => {
  const filled = `<!-- with: KEY = grep -o 'k[0-9]*' ~/.page/last -->\n<!-- types: KEY -->\n${sh('read -r typed && [ "KEY $typed" = "k12 k12" ]')}`;
  expect(await follow(sh("echo is k12."), filled)).toBe(2);
  await expect(follow(`<!-- with: NONE = echo x -->\n${sh("true")}`)).rejects.toThrow("does not contain NONE");
});

test("a block that should keep running, and ends, fails the page", async () => {
  expect(await follow(`<!-- keeps running -->\n${sh("sleep 100")}`)).toBe(1);
  await expect(followFor(100_000, [`<!-- keeps running -->\n${sh("echo no daemon")}`])).rejects.toThrow(
    /line 3: does not keep running[^]*no daemon/,
  );
});
