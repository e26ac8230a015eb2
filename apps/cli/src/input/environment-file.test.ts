import { expect, test } from "vitest";
import { parseEnvironmentFile, quoteForEnvironmentFile } from "./environment-file.ts";

const parse = (text: string) => Object.fromEntries(parseEnvironmentFile(text, "web.env"));

test.each([
  ["a number sign inside a value", "P=pa#ss", "pa#ss"],
  ["a number sign at the start of a value", "P=#fff", "#fff"],
  ["a comment after a value", "P=a # of the web", "a"],
  ["a comment after a tab", "P=a\t# of the web", "a"],
  ["a comment after white space alone", "P= # of the web", ""],
  ["a comment after a value in quotes", `P="a # b" # of the web`, "a # b"],
  ["a value in backticks", "P=`date`", "`date`"],
  ["a backtick and quotes inside", 'P=it\'s a "b" `c`', 'it\'s a "b" `c`'],
  ["a prefix", "  export P = a ", "a"],
  ["no value", "P=", ""],
  ["a line break as an escape", String.raw`P="a\nb"`, "a\nb"],
  ["other escapes", String.raw`P="\"a\" \\n \$b \t"`, String.raw`"a" \n $b \t`],
  ["no escapes in single quotes", String.raw`P='a\nb'`, String.raw`a\nb`],
  ["no escapes without quotes", String.raw`P=a\nb\ `, String.raw`a\nb\ `.trim()],
  ["several lines", "P='a\n# b\nc'", "a\n# b\nc"],
  ["a byte order mark", "\uFEFFP=a", "a"],
  ["lines of Windows", "P='a\r\nb'\r\n", "a\nb"],
  ["a later line for the same name", "P=a\nP=b", "b"],
])("%s", (_, text, value) => {
  expect(parse(text)).toEqual({ P: value });
});

test("the lines around a value are read too", () => {
  expect(parse(`# of the web\r\n\r\nA="x"\r\n B=2\r\n  # end\r\n__proto__=c`)).toEqual(
    Object.fromEntries([
      ["A", "x"],
      ["B", "2"],
      ["__proto__", "c"],
    ]),
  );
});

test.each([
  ['A=1\nW="s3cret" y', "the value of W has more text after its second quote, in line 2 of web.env"],
  ["W='s3cret'#y", "the value of W has more text after its second quote, in line 1 of web.env"],
  ["W='s3cret\nx' y\n", "the value of W has more text after its second quote, in line 2 of web.env"],
  ['A=1\n\nX="s3cret\nB=2\n', "the value of X in line 3 of web.env begins with a quote that has no end"],
  ["X='", "the value of X in line 1 of web.env begins with a quote that has no end"],
  ["A=1\ns3cret", "line 2 of web.env is not an assignment. Use NAME=value"],
])("%j is refused by its line, and not repeated", (text, message) => {
  expect(() => parse(text)).toThrow(message);
  expect(() => parse(text)).not.toThrow("s3cret");
});

test("every value that is printed is read back", () => {
  const values = [
    "",
    "a",
    "a b",
    "#",
    "it's",
    `"it's"`,
    "`'\"",
    String.raw`'\n`,
    "'\\",
    "a\nb'",
    "a\r\nb",
    " a ",
    "$A'",
  ];
  for (const value of values) expect(parse(`P=${quoteForEnvironmentFile(value)}\nQ=1\n`)).toEqual({ P: value, Q: "1" });
});
