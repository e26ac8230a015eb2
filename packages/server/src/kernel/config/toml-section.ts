import { parse as parseToml } from "smol-toml";

/** A value of a key; null removes the key. */
export type TomlValue = string | number | boolean | readonly string[] | null;

interface Statement {
  readonly start: number;
  /** After the end of its last line. */
  readonly end: number;
  /** The table that a header begins; null for a key with its value. */
  readonly table: string | null;
  /** The key as it is written, and the place of its value. */
  readonly key: string;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/**
 * Sets keys of one table of a TOML document, and leaves every other byte as it is. Returns null if it cannot, because
 * the table is written in another form, such as an inline table.
 */
export function setKeys(text: string, table: string, values: Readonly<Record<string, TomlValue>>): string | null {
  const changed = edit(text, table, values);
  return isAsMeant(text, changed, { table, values }) ? changed : null;
}

function edit(text: string, table: string, values: Readonly<Record<string, TomlValue>>): string {
  const statements = scan(text);
  const newline = /\r?\n/.exec(text)?.[0] ?? "\n";
  const header = statements.findIndex((statement) => statement.table === table);
  const next = statements.findIndex((statement, index) => index > header && statement.table !== null);
  const own = header < 0 ? [] : statements.slice(header, next < 0 ? undefined : next);
  const added: string[] = [];
  const edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  for (const [key, value] of Object.entries(values)) {
    const present = own.find((statement) => statement.table === null && statement.key === key);
    if (present === undefined) {
      if (value !== null) added.push(`${key} = ${format(value)}${newline}`);
    } else if (value === null) edits.push({ from: present.start, to: present.end, text: "" });
    else edits.push({ from: present.valueStart, to: present.valueEnd, text: format(value) });
  }
  const last = own.at(-1);
  if (added.length > 0) {
    const at = last?.end ?? text.length;
    const isLineOpen = at > 0 && text[at - 1] !== "\n";
    const heading = last !== undefined ? "" : `${text === "" ? "" : newline}[${table}]${newline}`;
    edits.push({ from: at, to: at, text: `${isLineOpen ? newline : ""}${heading}${added.join("")}` });
  }
  return edits
    .sort((one, other) => other.from - one.from)
    .reduce((edited, { from, to, text: piece }) => edited.slice(0, from) + piece + edited.slice(to), text);
}

/** Whether the parser reads the change, and nothing but the change. */
function isAsMeant(
  before: string,
  after: string,
  { table, values }: { readonly table: string; readonly values: Readonly<Record<string, TomlValue>> },
): boolean {
  try {
    const expected = parseToml(before);
    const former = expected[table];
    const section = new Map(Object.entries(typeof former === "object" ? former : {}));
    for (const [key, value] of Object.entries(values))
      if (value === null) section.delete(key);
      else section.set(key, typeof value === "object" ? [...value] : value);
    if (section.size > 0 || former !== undefined) expected[table] = Object.fromEntries(section);
    return canonical(parseToml(after)) === canonical(expected);
  } catch {
    return false;
  }
}

/** Writes a parsed document as text in which the order of keys does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "bigint") return String(part);
    if (typeof part !== "object" || part === null || Array.isArray(part) || "toISOString" in part) return part;
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** JSON is valid TOML for these values; the parser checks the result. */
function format(value: Exclude<TomlValue, null>): string {
  return typeof value === "object"
    ? `[${value.map((each) => JSON.stringify(each)).join(", ")}]`
    : JSON.stringify(value);
}

/** Finds the headers and the keys of a valid document. */
function scan(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let at = 0;
  while (at < text.length) {
    const lineStart = at;
    at = skip(text, at, /[ \t]*/y);
    if (text[at] === "[") {
      const isList = text[at + 1] === "[";
      const close = endOfValue(text, at);
      const name = text.slice(at + 1, close - 1).trim();
      at = endOfLine(text, close);
      statements.push({ ...none, start: lineStart, end: at, table: isList ? `[${name}]` : unquote(name) });
      continue;
    }
    if (at < text.length && !/[#\r\n]/.test(text[at]!)) {
      const equals = endOfKey(text, at);
      const valueStart = skip(text, equals + 1, /[ \t]*/y);
      const valueEnd = endOfValue(text, valueStart);
      const key = unquote(text.slice(at, equals).trim());
      at = endOfLine(text, valueEnd);
      statements.push({ start: lineStart, end: at, table: null, key, valueStart, valueEnd });
      continue;
    }
    at = endOfLine(text, at);
  }
  return statements;
}

const none = { key: "", valueStart: 0, valueEnd: 0 };

function unquote(name: string): string {
  return /^(["'])[\w-]+\1$/.test(name) ? name.slice(1, -1) : name;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Returns the place of the `=` after a key. */
function endOfKey(text: string, from: number): number {
  for (let at = from; at < text.length;) {
    if (text[at] === "=") return at;
    at = text[at] === '"' || text[at] === "'" ? endOfString(text, at) : at + 1;
  }
  return text.length;
}

/** Returns the place after a value, which may span lines. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length;) {
    const character = text[at]!;
    if (character === '"' || character === "'") {
      at = endOfString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (character === "#" && depth > 0) {
      at = endOfLine(text, at);
      continue;
    }
    if (character === "[" || character === "{") depth++;
    if ((character === "]" || character === "}") && --depth === 0) return at + 1;
    // a number, a boolean or a date
    if (depth === 0 && /[\s#]/.test(character)) return at;
    at++;
  }
  return text.length;
}

function endOfString(text: string, from: number): number {
  const quote = text[from]!;
  const isLong = text.startsWith(quote.repeat(3), from);
  const close = isLong ? quote.repeat(3) : quote;
  for (let at = from + close.length; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text.startsWith(close, at)) {
      // a long string may end with up to two quotes of its own
      return isLong ? skip(text, at + close.length, quote === '"' ? /"{0,2}/y : /'{0,2}/y) : at + 1;
    }
  }
  return text.length;
}

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
