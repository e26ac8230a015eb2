import { Command as Parser } from "commander";
import type { AnyClient } from "../any-client.ts";
import { aliasesOf, type CommandEntry, type CommandFamily } from "../command-list/entry.ts";
import { gather } from "../gather.ts";

interface Named {
  readonly name: string;
}

/** How to list the names that an argument or an option takes, by what its help calls it. */
const listers: Readonly<Record<string, (client: AnyClient) => AsyncIterable<Named>>> = {
  task: (client) => client.tasks.list({ limit: 1000 }),
  target: (client) => client.tasks.list({ limit: 1000 }),
  chain: (client) => client.tasks.list({ limit: 1000 }),
  run: (client) => client.tasks.list({ limit: 1000 }),
  group: (client) => client.groups.list(),
  schedule: (client) => client.schedules.list({ limit: 1000 }),
  trigger: (client) => client.triggers.list(),
  set: (client) => client.triggerSets.list(),
  watcher: (client) => client.watchers.list(),
  channel: (client) => client.notificationChannels.list(),
  actor: (client) => client.actors.list(),
};

interface Completion {
  /** The words after `belfry`; the last one is being typed, and may be empty. */
  readonly words: readonly string[];
  readonly commands: readonly (CommandFamily | CommandEntry)[];
  readonly connect: () => Promise<AnyClient>;
}

/** Lists what the last word can become. */
export async function listCompletions({ words, commands, connect }: Completion): Promise<readonly string[]> {
  const typed = unquote(words.at(-1) ?? "");
  const before = words.slice(0, -1).map(unquote);
  const candidates = await listCandidates(before, { typed, commands, connect });
  return candidates.filter((candidate) => candidate.toLowerCase().startsWith(typed.toLowerCase()));
}

async function listCandidates(
  before: readonly string[],
  { typed, commands, connect }: Pick<Completion, "commands" | "connect"> & { readonly typed: string },
): Promise<readonly string[]> {
  const [first, ...rest] = before;
  if (first === undefined || first === "help") return namesOf(commands);
  const entry = commands.find(({ name }) => name === first);
  if (entry === undefined) return [];
  if ("subcommands" in entry) {
    const [second, ...more] = rest;
    if (second === undefined) return namesOf(entry.subcommands);
    const command = entry.subcommands.find((known) => [known.name, ...aliasesOf(known)].includes(second));
    return command === undefined ? [] : listForCommand(command, { before: more, typed, connect });
  }
  return listForCommand(entry, { before: rest, typed, connect });
}

async function listForCommand(
  entry: CommandEntry,
  {
    before,
    typed,
    connect,
  }: Pick<Completion, "connect"> & { readonly before: readonly string[]; readonly typed: string },
): Promise<readonly string[]> {
  const parser = new Parser(entry.name);
  (await entry.load()).command.describe(parser);
  if (before.includes("--")) return [];
  const last = before.at(-1) ?? "";
  const valued = parser.options.find((option) => option.required && [option.long, option.short].includes(last));
  if (valued !== undefined) return listNames(/<([a-z]+)/.exec(valued.flags)?.[1] ?? "", connect);
  if (typed.startsWith("-")) return parser.options.flatMap(({ long }) => long ?? []);
  const argument = parser.registeredArguments[countArguments(parser, before)] ?? parser.registeredArguments.at(-1);
  return argument === undefined ? [] : listNames(argument.name(), connect);
}

/** The number of arguments among the words: without options and their values. */
function countArguments(parser: Parser, words: readonly string[]): number {
  const takesValue = (word: string | undefined): boolean =>
    parser.options.some(
      (option) => option.required && word !== undefined && [option.long, option.short].includes(word),
    );
  return words.filter((word, index) => !word.startsWith("-") && !takesValue(words[index - 1])).length;
}

async function listNames(kind: string, connect: Completion["connect"]): Promise<readonly string[]> {
  const list = Object.hasOwn(listers, kind) ? listers[kind] : undefined;
  if (list === undefined) return [];
  const found = await gather(list(await connect()));
  return [...new Set(found.map(({ name }) => name))].toSorted((one, other) => one.localeCompare(other));
}

function namesOf(entries: readonly (CommandFamily | CommandEntry)[]): readonly string[] {
  return entries.filter((entry) => !("isHidden" in entry)).map(({ name }) => name);
}

/** A word as the shell will pass it on: `Nightly\\ b` and `"Nightly b` are both `Nightly b`. */
function unquote(word: string): string {
  const quote = /^["']/.exec(word)?.[0];
  if (quote !== undefined) return word.slice(1).replace(new RegExp(`${quote}$`), "");
  return word.replaceAll(/\\(.)/g, "$1");
}
