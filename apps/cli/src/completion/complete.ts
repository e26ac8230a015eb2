import { Command as Parser, type Option as ParserOption } from "commander";
import type { AnyClient } from "../any-client.ts";
import { choicesOf } from "../command-help.ts";
import { aliasesOf, type CommandEntry, type CommandFamily } from "../command-list/entry.ts";
import { globalNames, valuedGlobals } from "../command-words.ts";
import type { DaemonLocation } from "../daemon-location.ts";
import { localName } from "../profiles/profile-name.ts";
import { type Candidate, listNames } from "./names.ts";
import { shells } from "./scripts.ts";
import { readGlobals } from "../typed-globals.ts";

interface Completion {
  /** The words after `belfry`; the last one is being typed, and may be empty. */
  readonly words: readonly string[];
  readonly commands: readonly (CommandFamily | CommandEntry)[];
  /** Connects to the daemon that the words choose; null if they choose none. */
  readonly connectTo: (location: DaemonLocation | null) => Promise<AnyClient>;
  readonly listProfiles: () => readonly string[];
}

/** What the word that is typed is completed from. */
interface Source {
  readonly typed: string;
  readonly connect: () => Promise<AnyClient>;
  readonly listProfiles: () => readonly string[];
}

/** Lists what the last word can become. */
export async function listCompletions({ words, ...completion }: Completion): Promise<readonly string[]> {
  const unquoted = joinAtEquals(words).map(unquote);
  const typed = unquoted.at(-1) ?? "";
  const candidates = await listCandidates(unquoted.slice(0, -1), typed, completion);
  const isBegun = (text: string): boolean => text.toLowerCase().startsWith(typed.toLowerCase());
  return candidates.filter(({ word, name = word }) => isBegun(word) || isBegun(name)).map(({ word }) => word);
}

async function listCandidates(
  before: readonly string[],
  typed: string,
  { commands, connectTo, listProfiles }: Omit<Completion, "words">,
): Promise<readonly Candidate[]> {
  const { words, location, awaiting } = readGlobals(before);
  const source = { typed, connect: () => connectTo(location), listProfiles };
  if (awaiting !== null) return valuesOfGlobal(awaiting, source);
  const [name = ""] = typed.split("=", 1);
  if (name !== typed && valuedGlobals.includes(name) && !words.includes("--"))
    return valuesOfGlobal(name, source).map(({ word }) => ({ word: `${name}=${word}` }));
  return listForWords(words, commands, source);
}

/** A daemon's socket and its directory are files, which the shell completes itself. */
function valuesOfGlobal(name: string, { listProfiles }: Source): readonly Candidate[] {
  return name === "--profile" ? asCandidates([...listProfiles(), localName]) : [];
}

async function listForWords(
  [first, ...rest]: readonly string[],
  commands: readonly (CommandFamily | CommandEntry)[],
  source: Source,
): Promise<readonly Candidate[]> {
  const isOption = source.typed.startsWith("-");
  if (first === undefined) return asCandidates(isOption ? [...globalNames, "--version"] : namesOf(commands));
  if (first === "help") return asCandidates(namesForHelp(rest, commands));
  const entry = commands.find(({ name }) => name === first);
  if (entry === undefined) return [];
  if (!("subcommands" in entry)) return listForCommand(entry, rest, source);
  const [second, ...more] = rest;
  if (second === undefined || second === "help")
    return asCandidates(isOption ? globalNames : namesOf(entry.subcommands));
  const command = entry.subcommands.find((known) => [known.name, ...aliasesOf(known)].includes(second));
  return command === undefined ? [] : listForCommand(command, more, source);
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
  before: readonly string[],
  source: Source,
): Promise<readonly Candidate[]> {
  const parser = new Parser(entry.name);
  (await entry.load()).command.describe(parser);
  if (before.includes("--")) return [];
  const { typed } = source;
  const last = before.at(-1) ?? "";
  const valued = parser.options.find((option) => option.required && [option.long, option.short].includes(last));
  if (valued !== undefined) return listValues(valued, source);
  const [, prefix = "", value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (value !== undefined) {
    const option = parser.options.find(({ long, required }) => required && long === prefix);
    const values = option === undefined ? [] : await listValues(option, { ...source, typed: value });
    return values.map(({ word, name = word }) => ({ word: `${prefix}=${word}`, name: `${prefix}=${name}` }));
  }
  if (typed.startsWith("-")) return asCandidates([...parser.options.flatMap(({ long }) => long ?? []), ...globalNames]);
  const argument = parser.registeredArguments[countArguments(parser, before)] ?? parser.registeredArguments.at(-1);
  return argument === undefined ? [] : listOfKind(argument.name(), source);
}

/** The choices of the option, or the names of what it takes. In a list, each value follows those that were typed. */
async function listValues(option: ParserOption, source: Source): Promise<readonly Candidate[]> {
  const choices = choicesOf(option);
  if (choices === null) return listOfKind(/<([a-z]+)/.exec(option.flags)?.[1] ?? "", source);
  if (!choices.isList) return asCandidates(choices.values);
  const given = source.typed.split(",").slice(0, -1);
  return asCandidates(choices.values.filter((one) => !given.includes(one)).map((one) => [...given, one].join(",")));
}

async function listOfKind(kind: string, source: Source): Promise<readonly Candidate[]> {
  if (kind === "shell") return asCandidates(shells);
  return kind === "profile" ? asCandidates(source.listProfiles()) : listNames(kind, source);
}

function asCandidates(words: readonly string[]): readonly Candidate[] {
  return words.map((word) => ({ word }));
}

/** The number of arguments among the words: without options and their values. */
function countArguments(parser: Parser, words: readonly string[]): number {
  const takesValue = (word: string | undefined): boolean =>
    parser.options.some(
      (option) => option.required && word !== undefined && [option.long, option.short].includes(word),
    );
  return words.filter((word, index) => !word.startsWith("-") && !takesValue(words[index - 1])).length;
}

function namesOf(entries: readonly (CommandFamily | CommandEntry)[]): readonly string[] {
  return entries.filter((entry) => !("isHidden" in entry)).map(({ name }) => name);
}

/** bash passes `--task=x` as three words. */
function joinAtEquals(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const isSign = word === "=" && words[index - 1]?.startsWith("--") === true;
    if (!isSign) return [word];
    return index === words.length - 1 ? [""] : [];
  });
}

/** A word as the shell will pass it on: `Nightly\\ b` and `"Nightly b` are both `Nightly b`. */
function unquote(word: string): string {
  const quote = /^["']/.exec(word)?.[0];
  if (quote !== undefined) return word.slice(1).replace(new RegExp(`${quote}$`), "");
  return word.replaceAll(/\\(.)/g, "$1");
}
