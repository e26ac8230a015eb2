import { Argument as ParserArgument, type Command as Parser, Option as ParserOption } from "commander";
import type { Argument, Definition } from "./command-definition.ts";
import { wrapCommand } from "./output/help-layout.ts";
import { nameOf, type Option, type Options } from "./options.ts";

type Described = Omit<Definition<readonly Argument[], Options>, "run">;

/** Declares the arguments, options and help of a command to the parser. */
export function describeCommand(parser: Parser, definition: Described): void {
  const declared = definition.arguments ?? [];
  for (const one of declared) parser.addArgument(new ParserArgument(bracket(one), one.summary));
  if (definition.takesProgram === true) {
    parser.argument("[program...]", "the program and its arguments, after --");
    parser.usage(["[options]", ...declared.map(bracket), "[-- <program> [arguments...]]"].join(" "));
  }
  // command.ts reports them, with the reason
  parser.allowExcessArguments(true);
  for (const option of Object.values(definition.options ?? {})) describeOption(parser, option);
  const { details, isLocal } = definition;
  if (details !== undefined) parser.addHelpText("after", () => `\n${wrap(parser, details)}`);
  if (isLocal === true) parser.addHelpText("after", "\nWorks only on the daemon's own machine.");
  parser.addHelpText(
    "after",
    () => `\nExamples:\n${definition.examples.map(([line, meaning]) => exampleText(parser, line, meaning)).join("\n")}`,
  );
}

function bracket({ name, isOptional, isMany }: Argument): string {
  if (isMany === true) return `<${name}...>`;
  return isOptional === true ? `[${name}]` : `<${name}>`;
}

/** The declarations of the parser's options. */
const declarations = new WeakMap<ParserOption, Option<unknown>>();

/** The values that an option can have, as its declaration lists them; null if it takes any text. */
export function choicesOf(
  option: ParserOption,
): { readonly values: readonly string[]; readonly isList: boolean } | null {
  const { choices, isChoiceList } = declarations.get(option) ?? {};
  return choices === undefined ? null : { values: choices, isList: isChoiceList === true };
}

function describeOption(parser: Parser, declared: Option<unknown>): void {
  const { flags, summary, clearSummary, heading } = declared;
  const add = (option: ParserOption): void =>
    void parser.addOption(heading === undefined ? option : option.helpGroup(heading));
  const option = new ParserOption(flags, summary);
  declarations.set(option, declared);
  add(option.required ? option.argParser(collect) : option);
  if (clearSummary !== undefined) add(new ParserOption(nameOf(flags).replace("--", "--no-"), clearSummary));
}

/** Collects every value of an option; `false` comes from an earlier `--no-<name>`. */
function collect(text: string, former: readonly string[] | false | undefined): readonly string[] {
  return [...(former || []), text];
}

function exampleText(parser: Parser, line: string, meaning: string): string {
  const width = widthOf(parser) - 2;
  const comment = parser
    .createHelp()
    .boxWrap(meaning, width - 2)
    .replaceAll("\n", "\n  # ");
  return `  # ${comment}\n  ${wrapCommand(line, width).replaceAll("\n", "\n  ")}`;
}

function wrap(parser: Parser, text: string): string {
  return parser.createHelp().boxWrap(text, widthOf(parser));
}

function widthOf(parser: Parser): number {
  return parser.configureOutput().getOutHelpWidth?.() ?? 80;
}
