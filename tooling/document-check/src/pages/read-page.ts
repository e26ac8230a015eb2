/**
 * A page of the documentation as its reader follows it: the code blocks in their order. Comments of the page, which
 * readers do not see, describe what a test cannot do as a reader does. They are written directly before a block:
 *
 * - `<!-- only checked: the reason -->` the block is not run. Its options must exist, and its files must be valid.
 * - `<!-- keeps running -->` the block does not end by itself, so the rest of the page is read meanwhile.
 * - `<!-- types: text -->` the reader types this text at a prompt.
 * - `<!-- with: WORD = shell command -->` the block contains a placeholder, for which the command prints the value.
 *
 * A comment that begins with `<!-- given` contains shell commands for what the page expects its reader to have.
 * In all of them, `$PAGE_PORT` is a free port that is the page's own.
 */
export interface Block {
  readonly kind: "block" | "given";
  readonly language: string;
  readonly text: string;
  /** The number of its first line. */
  readonly line: number;
  readonly onlyChecked: boolean;
  readonly keepsRunning: boolean;
  readonly typed: string;
  readonly placeholders: readonly (readonly [word: string, command: string])[];
}

type Notes = Pick<Block, "onlyChecked" | "keepsRunning" | "typed" | "placeholders">;

const noNotes: Notes = { onlyChecked: false, keepsRunning: false, typed: "", placeholders: [] };

export function readBlocks(page: string): readonly Block[] {
  const found = /^( *)```(\w*)\n([^]*?)^\1```$|^ *<!-- given\n([^]*?)^ *-->$|^ *<!-- ([^]*?) -->$/gm;
  const blocks: Block[] = [];
  let notes = noNotes;
  for (const match of page.matchAll(found)) {
    const [, indent = "", language, text = "", given, comment] = match;
    const line = page.slice(0, match.index).split("\n").length + 1;
    if (comment !== undefined) {
      notes = addNote(notes, comment, line);
    } else if (given !== undefined) {
      blocks.push({ ...noNotes, kind: "given", language: "sh", text: given, line });
    } else {
      const unindented = text.replaceAll(new RegExp(`^${indent}`, "gm"), "");
      blocks.push({ ...notes, kind: "block", language: language ?? "", text: unindented, line });
      notes = noNotes;
    }
  }
  return blocks;
}

/** The commands of Belfry in the sentences of a page, with `<name>` as a word. */
export function readInlineCommands(page: string): readonly string[] {
  const prose = page.replaceAll(/^( *)```[^]*?^\1```$/gm, "").replaceAll(/<!--[^]*?-->/g, "");
  return [...prose.matchAll(/`((?:[A-Z_]+=\S* )?(?:sudo )?(?:-u \w+ )?belfry [^`\n]+)`/g)].map(([, command = ""]) =>
    command.replaceAll(/[<>]/g, "_").replaceAll(/[[\]…]/g, ""),
  );
}

function addNote(notes: Notes, comment: string, line: number): Notes {
  const [, name, value = ""] = /^([a-z ]+)(?:: ([^]*))?$/.exec(comment) ?? [];
  const [, word, command] = /^(\S+) = ([^]+)$/.exec(value) ?? [];
  if (name === "only checked" && value !== "") return { ...notes, onlyChecked: true };
  if (name === "keeps running") return { ...notes, keepsRunning: true };
  if (name === "types") return { ...notes, typed: `${value}\n` };
  if (name === "with" && word !== undefined && command !== undefined)
    return { ...notes, placeholders: [...notes.placeholders, [word, command]] };
  throw new Error(`line ${line - 1}: unknown comment "${comment}"`);
}
