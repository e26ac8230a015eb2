import { similarNames } from "@belfry/contract";
import type { Command as Parser } from "commander";
import { quoteName } from "./output/hints.ts";
import { escapeUnsafe } from "./output/width.ts";
import {
  commandSynonyms,
  optionSynonyms,
  otherCommands,
  restartHint,
  taskWordsElsewhere,
  topLevelSynonyms,
} from "./typed-words.ts";

/** Rewords an error of the parser like the errors of this command: a sentence, and what to do. */
export function rewordParserError(text: string, parser: Parser, argv: readonly string[]): string {
  // the parser's own suggestions may be far from what was typed
  const [, message = text] = /^error: (.*?)\n?(?:\(Did you mean .*\?\))?\n*$/s.exec(text) ?? [];
  const unknown = /^unknown command '(.*)'$/s.exec(message)?.[1];
  const option = /^unknown option '(.*)'$/s.exec(message)?.[1];
  const hint =
    (unknown !== undefined && (suggestCommand(unknown, parser) || startHint(unknown, parser))) ||
    (option !== undefined && (suggestOption(option, parser) || hintProgram(option, parser, argv))) ||
    `See: ${pathOf(parser)} --help`;
  return escapeUnsafe(`belfry: ${reword(message, parser)}\n${hint}\n`);
}

function suggestOption(typed: string, parser: Parser): string {
  if (typed === "-v") return "Did you mean -V?";
  if (!typed.startsWith("--")) return "";
  const other = otherCommands.find(
    ({ command, option }) => command.test(pathOf(parser)) && option.test(typed.replace(/=.*$/s, "")),
  );
  if (other !== undefined) return other.hint;
  const name = typed.slice("--".length).replace(/=.*$/s, "").toLowerCase();
  if (parser.registeredArguments.some((argument) => argument.name() === name))
    return `Give the ${name} without an option: ${pathOf(parser)} <${name}>`;
  const known = optionsOf(parser);
  const meant = (optionSynonyms.get(name) ?? []).filter((synonym) => known.includes(synonym));
  return askFor((meant.length > 0 ? meant : similarTo(name, known)).map((long) => `--${long}`));
}

/** `task add x nice -n 10 backup`: the option is one of the program. */
function hintProgram(typed: string, parser: Parser, argv: readonly string[]): string {
  const takesProgram = parser.registeredArguments.some((argument) => argument.name() === "program");
  return takesProgram && !argv.includes("--")
    ? `Put the command after --, with its option ${typed.replace(/=.*$/s, "")}`
    : "";
}

function suggestCommand(typed: string, parser: Parser): string {
  const others = parser.name() === "task" ? taskWordsElsewhere.get(typed.toLowerCase()) : undefined;
  if (others !== undefined) return `Use: ${others.map((other) => `belfry ${other}`).join(", or: ")}`;
  const isTopLevel = parser.parent === null;
  if ((isTopLevel || parser.name() === "daemon") && typed.toLowerCase() === "restart") return restartHint;
  const known = parser
    .createHelp()
    .visibleCommands(parser)
    .map((command) => command.name());
  const meant = isTopLevel
    ? (topLevelSynonyms.get(typed.toLowerCase()) ?? [])
    : (commandSynonyms.get(typed.toLowerCase()) ?? []).filter((name) => known.includes(name));
  return askFor(meant.length > 0 ? meant : similarTo(typed, known));
}

/** The options of the command and of the commands above it, without dashes. */
function optionsOf(parser: Parser): readonly string[] {
  const own = parser.createHelp().visibleOptions(parser);
  const names = own.flatMap(({ long }) => (typeof long === "string" ? long.slice("--".length) : []));
  return parser.parent === null
    ? names
    : [...names, ...optionsOf(parser.parent).filter((name) => !names.includes(name))];
}

/** Those that begin as typed, if there are any: a name that only contains the word is most often another one. */
function similarTo(typed: string, known: readonly string[]): readonly string[] {
  const similar = similarNames(typed, known);
  const longer = similar.filter((name) => name.startsWith(typed.toLowerCase()));
  return longer.length > 0 ? longer : similar;
}

function askFor(names: readonly string[]): string {
  const listed = names.length > 2 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : names.join(" or ");
  return names.length === 0 ? "" : `Did you mean ${listed}?`;
}

/** `belfry run "Nightly backup"` looks right, but `run` manages runs. */
function startHint(typed: string, parser: Parser): string {
  return parser.name() === "run" ? `To start a task, use: belfry task run ${quoteName(typed)}` : "";
}

function reword(message: string, parser: Parser): string {
  const argument = /^missing required argument '(.*)'$/.exec(message)?.[1];
  if (argument !== undefined) {
    const summary = parser.registeredArguments.find((known) => known.name() === argument)?.description ?? "";
    return `missing argument <${argument}>${summary === "" ? "" : `: ${summary}`}`;
  }
  const flags = /^option '(.*)' argument missing$/.exec(message)?.[1];
  return flags === undefined ? message : `missing value for ${flags}`;
}

function pathOf(parser: Parser): string {
  return parser.parent === null ? parser.name() : `${pathOf(parser.parent)} ${parser.name()}`;
}
