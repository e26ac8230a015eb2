import { type Command as Parser, Help } from "commander";

/** A narrower description is below its option instead of beside it. */
const besideMin = 36;
const below = 6;

/** The layout of help on narrow terminals: no word is broken, and nothing is left out. */
export const helpLayout: Partial<Help> = {
  minWidthToWrap: 20,
  formatItem(...item: Parameters<Help["formatItem"]>): string {
    const [term, termWidth, description, helper] = item;
    const width = helper.helpWidth ?? 80;
    if (description === "" || width - termWidth - 4 >= besideMin) return Help.prototype.formatItem.apply(this, item);
    return `  ${term}\n${indent(helper.boxWrap(description, width - below), below)}`;
  },
  commandUsage(parser: Parser): string {
    const usage = Help.prototype.commandUsage.call(this, parser);
    const start = "Usage: ".length;
    return this.boxWrap === undefined
      ? usage
      : indent(this.boxWrap(usage, (this.helpWidth ?? 80) - start), start).trim();
  },
};

function indent(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => `${" ".repeat(columns)}${line}`)
    .join("\n");
}

/** Continues a shell command on further lines, where a word ends, so that it can still be copied. */
export function wrapCommand(line: string, width: number): string {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    // two columns for the backslash
    if (last === undefined || last.length + 1 + word.length > width - 2)
      lines.push(last === undefined ? word : `    ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return line.length <= width ? line : lines.join(" \\\n");
}
