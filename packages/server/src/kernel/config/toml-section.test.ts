import { fc } from "@belfry/test-kit/properties";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { setKeys } from "./toml-section.ts";

const set = (text: string, values: Parameters<typeof setKeys>[2]) => setKeys(text, "remote", values);

test.each([
  ["an empty document", "", "[remote]\nport = 1\n"],
  ["a document without the section", "a = 1", "a = 1\n\n[remote]\nport = 1\n"],
  ["an empty section", "[remote]\n", "[remote]\nport = 1\n"],
  ["a section at the end", "[remote]", "[remote]\nport = 1\n"],
  ["a key that is present", "[remote]\nport = 9 # old\nhost = 'x'\n", "[remote]\nport = 1 # old\nhost = 'x'\n"],
  [
    "a section before another",
    "[remote]\nhost = 'x'\n\n[log]\nlevel = 'info'\n",
    "[remote]\nhost = 'x'\nport = 1\n\n[log]\nlevel = 'info'\n",
  ],
  [
    "a table of the section",
    "[remote.limits]\nconnections = 5\n",
    "[remote.limits]\nconnections = 5\n\n[remote]\nport = 1\n",
  ],
  [
    "a section before its own table",
    "[remote]\n[remote.limits]\nport = 2\n",
    "[remote]\nport = 1\n[remote.limits]\nport = 2\n",
  ],
  [
    "spaces and quotes",
    "[ 'remote' ] # here\n  \"port\"  =  0x10\t# sixteen\n",
    "[ 'remote' ] # here\n  \"port\"  =  1\t# sixteen\n",
  ],
  [
    "the same key elsewhere",
    "port = 8\n[log]\nport = 9\n[remote]\n",
    "port = 8\n[log]\nport = 9\n[remote]\nport = 1\n",
  ],
  ["Windows line ends", "[remote]\r\nhost = 'x'\r\n", "[remote]\r\nhost = 'x'\r\nport = 1\r\n"],
  [
    "a header within a text",
    'a = """\n[remote]\nport = 5\n"""\n',
    'a = """\n[remote]\nport = 5\n"""\n\n[remote]\nport = 1\n',
  ],
  [
    "a list over several lines",
    "[remote]\nadvertise = [\n  'a', # port = 3\n  ']',\n]\nport = 2\n",
    "[remote]\nadvertise = [\n  'a', # port = 3\n  ']',\n]\nport = 1\n",
  ],
  ["quotes at the end of a long text", `a = """x"""""\n[remote]\nport = 2\n`, `a = """x"""""\n[remote]\nport = 1\n`],
  ["a list of tables", "[[remote2]]\nport = 3\n[remote]\n", "[[remote2]]\nport = 3\n[remote]\nport = 1\n"],
])("%s", (_what, before, after) => {
  expect(set(before, { port: 1 })).toBe(after);
});

test("null removes a key with its line, and the other lines stay", () => {
  expect(set("[remote]\nkey = 'a' # mine\nport = 1\n", { key: null })).toBe("[remote]\nport = 1\n");
  expect(set("[remote]\nport = 1\n", { key: null })).toBe("[remote]\nport = 1\n");
  expect(set("", { key: null })).toBe("");
});

test("texts are written so that they are read back", () => {
  for (const text of ["", 'a"b', "back\\slash", "line\nbreak", "ü – 中", "\u0001", "tab\t", "😀"])
    expect(parse(set("", { host: text })!)).toEqual({ remote: { host: text } });
});

test.each([
  ["an inline table", "remote = { port = 2 }\n"],
  ["a list", "[[remote]]\nport = 2\n"],
  ["a value", "remote = 3\n"],
  ["dotted keys", "remote.host = 'x'\n"],
  ["a document that is not valid", "[remote\n"],
])("%s is not changed", (_what, text) => {
  expect(set(text, { port: 1 })).toBeNull();
});

describe("whatever the document", () => {
  const word = fc.constantFrom("a", "port", "host", "remote", "limits", "x-y");
  const value = fc.oneof(
    fc.constantFrom(
      "1",
      "true",
      "'x'",
      '"#"',
      "[1, 2]",
      "[\n  1, # one\n  2,\n]",
      "{ a = 1 }",
      '"""\n[remote]\n"""',
      "'''\nport = 1\n'''",
      "1979-05-27",
      "1.5",
      '"\\""',
    ),
    fc.string().map((text) => JSON.stringify(text)),
  );
  const line = fc.oneof(
    fc.tuple(word, value).map(([key, shown]) => `${key} = ${shown}`),
    word.map((name) => `[${name}]`),
    fc.constantFrom("", "# [remote]", "[remote]", "[remote.limits]", "  "),
  );
  const document = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("\n", "\r\n"), fc.boolean());

  test("a change is read back, and every other line stays", () => {
    let changed = 0;
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 99 }), ([lines, newline, isOpen], port) => {
        const text = `${lines.join(newline)}${isOpen ? "" : newline}`;
        const result = set(text, { port, key: null });
        if (result === null) return;
        changed++;
        expect((parse(result)["remote"] as Record<string, unknown>)["port"]).toBe(port);
        // without the line of the port and the new header, the rest is the same text
        const rest = (from: string): string => from.replaceAll(/^port = .*$/gm, "").replaceAll(/\s+|\[remote\]/g, "");
        if (!/^port = (?:\[|"""|''')/m.test(text)) expect(rest(result)).toBe(rest(text));
      }),
      { numRuns: 2_000 },
    );
    expect(changed).toBeGreaterThan(100);
  });
});
