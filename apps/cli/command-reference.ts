import { commandList, type CommandEntry } from "./src/command-list.ts";
import { main } from "./src/main.ts";

/** The reference of every command, made from its help as a terminal of 100 columns shows it. */
export async function describeAllCommands(): Promise<string> {
  const listed = commandList.filter((entry) => !("isHidden" in entry));
  const start = await readHelp([]);
  const sections: string[] = [];
  for (const entry of listed) sections.push(await describeEntry(entry));
  return [
    "# Commands",
    "Every command of `belfry`, as its help describes it. `npx pnpm@12 command-reference` makes this page from the help.",
    listed.map(({ name, summary }) => `- [\`${name}\`](#belfry-${name}): ${summary}`).join("\n"),
    "## Options of every command",
    fence(partOf(start, /^Options:\n[^]*?(?=\n\n)/m)),
    "## Exit codes",
    fence(partOf(start, /^Exit codes: [^]*/m).trim()),
    ...sections,
  ]
    .join("\n\n")
    .concat("\n");
}

async function describeEntry(entry: (typeof commandList)[number]): Promise<string> {
  const heading = `## belfry ${entry.name}`;
  if (!("subcommands" in entry)) return [heading, await describeCommand([entry.name], entry)].join("\n\n");
  const described: string[] = [];
  for (const command of entry.subcommands)
    described.push(
      `### belfry ${entry.name} ${command.name}`,
      await describeCommand([entry.name, command.name], command),
    );
  return [heading, sentence(entry.summary), ...described].join("\n\n");
}

async function describeCommand(words: readonly string[], { shortFor }: CommandEntry): Promise<string> {
  if (shortFor !== undefined) return `Short for [\`belfry ${shortFor}\`](#belfry-${shortFor.replaceAll(" ", "-")}).`;
  const help = await readHelp(words);
  const [described = "", examples = ""] = help.split("\nExamples:\n");
  const own = described.replace(/^Global Options:\n(?: .*\n)*/m, "").replaceAll(/\n{3,}/g, "\n\n");
  const example = `<!-- only checked: the names in it are the reader's own -->\n${fence(examples.replaceAll(/^ {2}/gm, ""), "sh")}`;
  return [fence(own), example].join("\n\n");
}

function partOf(help: string, part: RegExp): string {
  const [found] = part.exec(help) ?? [];
  if (found === undefined) throw new Error(`the help of belfry has no ${part.source}`);
  return found;
}

function fence(text: string, language = "text"): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``;
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

async function readHelp(words: readonly string[]): Promise<string> {
  let text = "";
  const code = await main([...words, "--help"], {
    ownsProcess: false,
    stdin: Object.assign((async function* () {})(), { isTTY: false }),
    stdout: { write: (data) => (text += data), columns: 100 },
    stderr: { write: (data) => (text += data) },
    environment: {},
    keychain: null,
    now: () => 0,
    onInterrupt: () => ({ [Symbol.dispose]: () => undefined }),
    exit: (exitCode) => {
      throw new Error(`exited with ${exitCode}`);
    },
  });
  if (code !== 0) throw new Error(`belfry ${words.join(" ")} --help ended with ${code}: ${text}`);
  return text;
}
