import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";

/** What is wrong at the place of an error, by the name of its code. */
const faults: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is no value: text needs quotes",
  InvalidNumberFormat: "this is no number",
  PropertyNameExpected: "a name in quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "the text should end before this",
  InvalidCommentToken: "this is no comment",
  UnexpectedEndOfComment: "the comment has no end",
  UnexpectedEndOfString: "a closing quote is missing",
  UnexpectedEndOfNumber: "the number has no end",
  InvalidUnicode: "the escape \\u needs four hexadecimal digits",
  InvalidEscapeCharacter: "this escape is unknown: write a backslash as \\\\",
  InvalidCharacter: "a tab, line break or other control character in a text must be escaped, as in \\n",
};

/** Reads JSON with comments and trailing commas. Throws a SyntaxError that names the line of the first error. */
export function parseCommentedJson(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const before = text.slice(0, first.offset).split("\n");
  throw new SyntaxError(
    `line ${before.length}, column ${before.at(-1)!.length + 1}: ${faults[printParseErrorCode(first.error)] ?? "this is no JSON"}`,
  );
}
