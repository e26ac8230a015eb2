import { expect, test } from "vitest";
import { findComplaint } from "./check-block.ts";
import { readBlocks } from "./read-page.ts";
import { splitCommands } from "./shell-commands.ts";

const unit = (line: string): string => `[Service]\nExecStart=/usr/bin/belfry daemon run\n${line}`;

test.each([
  ["sh", "belfry task list --nope", "unknown option '--nope'"],
  ["sh", "belfry tasks", "unknown command 'tasks'"],
  ["sh", "belfry task show", "missing argument <task>"],
  ["sh", "crontab -l | sudo belfry import crontab --nope", "unknown option '--nope'"],
  ["sh", 'id=$(belfry run list --nope); echo "$id"', "unknown option '--nope'"],
  ["sh", "echo 'open", "unexpected EOF"],
  ["json", '{ "a": 1, }', "SyntaxError"],
  ["toml", "[daemon]\nhold = true", "hold"],
  ["toml", '[log]\nlevel = "loud"', "level"],
  ["ini", unit("Delegate yes"), "no line of a unit: Delegate yes"],
  ["dockerfile", "FROM node:24\nRUNS npm", "unknown instruction: RUNS npm"],
])("a mistake in a block of %s is found without running it: %s", async (language, text, complaint) => {
  const [block] = readBlocks(`\`\`\`${language}\n${text}\n\`\`\`\n`);
  expect(await findComplaint(block!)).toContain(complaint);
});

test("a shell text is split into its commands, without comments, redirections and here-documents", () => {
  const text = `a "b c" --d='e' # f\nsudo x > out 2>&1 | y && z\nw "$(v -u)" \\\n  t <<'EOF'\nnot this\nEOF\nlast`;
  expect(splitCommands(text)).toEqual([
    ["v", "-u"],
    ["a", "b c", "--d=e"],
    ["sudo", "x"],
    ["y"],
    ["z"],
    ["w", "$(v -u)", "t"],
    ["last"],
  ]);
});

test("the comments before a block belong to it, and an unknown comment is an error", () => {
  const page =
    "<!-- given\nstart-daemon\n-->\n\n<!-- with: ID = echo 1 -->\n<!-- types: ID -->\n```sh\nbelfry\n```\n```sh\nls\n```\n";
  expect(readBlocks(page)).toMatchObject([
    { kind: "given", text: "start-daemon\n" },
    { kind: "block", line: 8, typed: "ID\n", placeholders: [["ID", "echo 1"]] },
    { kind: "block", line: 11, typed: "", placeholders: [] },
  ]);
  expect(() => readBlocks("<!-- only cheked: x -->\n")).toThrow('unknown comment "only cheked: x"');
  expect(() => readBlocks("<!-- only checked -->\n")).toThrow("unknown comment");
});
