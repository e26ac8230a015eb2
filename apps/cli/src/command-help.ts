import { Argument as ParserArgument, type Command as Parser, Option as ParserOption } from "commander";
import type { Argument, Definition } from "./command-definition.ts";
import { nameOf, type Option, type Options } from "./options.ts";

type Described = Omit<Definition<readonly Argument[], Options>, "run">;

/** Tells the parser what a command takes, and what its help says. */
export function describeCommand(parser: Parser, definition: Described): void {
  const words = definition.arguments ?? [];
  for (const word of words) parser.addArgument(new ParserArgument(bracket(word), word.summary));
  if (definition.takesProgram === true) {
    parser.argument("[program...]", "after --: the program, and its arguments as they are");
    parser.usage(["[options]", ...words.map(bracket), "-- <program> [arguments...]"].join(" "));
  }
  for (const option of Object.values(definition.options ?? {})) describeOption(parser, option);
  const { details } = definition;
  if (details !== undefined) parser.addHelpText("after", () => `\n${wrap(parser, details)}`);
  parser.addHelpText(
    "after",
    `\nExamples:\n${definition.examples.map(([line, meaning]) => `  # ${meaning}\n  ${line}`).join("\n")}`,
  );
}

function bracket({ name, isOptional }: Argument): string {
  return isOptional === true ? `[${name}]` : `<${name}>`;
}

function describeOption(parser: Parser, { flags, summary, isClearable, heading }: Option<unknown>): void {
  const add = (option: ParserOption): void =>
    void parser.addOption(heading === undefined ? option : option.helpGroup(heading));
  const option = new ParserOption(flags, summary);
  add(option.required ? option.argParser(collect) : option);
  if (isClearable) add(new ParserOption(nameOf(flags).replace("--", "--no-"), "take it away"));
}

/** Every text that an option was given with; `false` stands for a `--no-` before it. */
function collect(text: string, former: readonly string[] | false | undefined): readonly string[] {
  return [...(former || []), text];
}

function wrap(parser: Parser, text: string): string {
  return parser.createHelp().boxWrap(text, parser.configureOutput().getOutHelpWidth?.() ?? 80);
}
