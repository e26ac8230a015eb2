import { Command as Parser, type Option as ParserOption } from "commander";
import type { AnyClient } from "../any-client.ts";
import { choicesOf } from "../command-help.ts";
import { aliasesOf, type CommandEntry, type CommandFamily } from "../command-list/entry.ts";
import { valuedGlobals } from "../command-words.ts";
import { gather } from "../gather.ts";
import { shells } from "./scripts.ts";

interface Named {
  readonly name: string;
  /** A schedule is also found by its task. */
  readonly task_name?: string;
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
  const [first, ...rest] = withoutGlobals(before);
  if (first === undefined) return namesOf(commands);
  if (first === "help") return namesForHelp(rest, commands);
  const entry = commands.find(({ name }) => name === first);
  if (entry === undefined) return [];
  if ("subcommands" in entry) {
    const [second, ...more] = rest;
    if (second === undefined || second === "help") return namesOf(entry.subcommands);
    const command = entry.subcommands.find((known) => [known.name, ...aliasesOf(known)].includes(second));
    return command === undefined ? [] : listForCommand(command, { before: more, typed, connect });
  }
  return listForCommand(entry, { before: rest, typed, connect });
}

/** Help is given for the name of a command, and for no arguments of it. */
function namesForHelp(
  [family, ...rest]: readonly string[],
  commands: readonly (CommandFamily | CommandEntry)[],
): readonly string[] {
  if (family === undefined) return namesOf(commands);
  const entry = commands.find(({ name }) => name === family);
  return rest.length === 0 && entry !== undefined && "subcommands" in entry ? namesOf(entry.subcommands) : [];
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
  if (valued !== undefined) return listValues(valued, typed, connect);
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (name !== undefined && value !== undefined) {
    const option = parser.options.find(({ long, required }) => required && long === name);
    const values = option === undefined ? [] : await listValues(option, value, connect);
    return values.map((one) => `${name}=${one}`);
  }
  if (typed.startsWith("-")) return parser.options.flatMap(({ long }) => long ?? []);
  const argument = parser.registeredArguments[countArguments(parser, before)] ?? parser.registeredArguments.at(-1);
  return argument === undefined ? [] : listNames(argument.name(), connect);
}

/** The choices of the option, or the names of what it takes. In a list, each value follows those that were typed. */
async function listValues(
  option: ParserOption,
  typed: string,
  connect: Completion["connect"],
): Promise<readonly string[]> {
  const choices = choicesOf(option);
  if (choices === null) return listNames(/<([a-z]+)/.exec(option.flags)?.[1] ?? "", connect);
  if (!choices.isList) return choices.values;
  const given = typed.split(",").slice(0, -1);
  return choices.values.filter((one) => !given.includes(one)).map((one) => [...given, one].join(","));
}

function withoutGlobals(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first?.startsWith("-") !== true) return words;
  return withoutGlobals(valuedGlobals.includes(first) ? rest.slice(1) : rest);
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
  if (kind === "shell") return shells;
  const list = Object.hasOwn(listers, kind) ? listers[kind] : undefined;
  if (list === undefined) return [];
  const found = await gather(list(await connect()));
  const names = found.flatMap(({ name, task_name }) => (task_name === undefined ? [name] : [name, task_name]));
  return [...new Set(names)].toSorted((one, other) => one.localeCompare(other));
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
