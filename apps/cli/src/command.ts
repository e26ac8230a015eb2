import { type Command as Parser, Option as ParserOption } from "commander";
import type { Argument, ArgumentsOf, Definition } from "./command-definition.ts";
import { describeCommand } from "./command-help.ts";
import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";
import { usage } from "./failure.ts";
import type { Options, ValuesOf } from "./options.ts";

export type { Argument, Definition };

/** A command whose file has been loaded: it can tell the parser what it takes, and be run. */
export interface LoadedCommand {
  readonly describe: (parser: Parser) => void;
  readonly run: (parser: Parser, context: Context) => Promise<ExitCode | undefined | void>;
}

type NoOptions = Readonly<Record<string, never>>;

/** One file under `commands/` exports one of these. The types of `args` and `options` follow from their declaration. */
export function defineCommand<const A extends readonly Argument[] = [], const O extends Options = NoOptions>(
  definition: Definition<A, O>,
): LoadedCommand {
  return {
    describe: (parser) => describeCommand(parser, definition),
    run: (parser, context) =>
      definition.run({
        ...context,
        ...readWords(parser, definition, context.argv),
        options: readOptions(parser, definition.options),
      }),
  };
}

function readWords<A extends readonly Argument[], O extends Options>(
  parser: Parser,
  definition: Definition<A, O>,
  argv: readonly string[],
): { readonly args: ArgumentsOf<A>; readonly program: readonly string[] } {
  const dashes = argv.indexOf("--");
  const programCount = definition.takesProgram === true && dashes >= 0 ? argv.length - dashes - 1 : 0;
  const words = parser.args.slice(0, parser.args.length - programCount);
  const declared = definition.arguments ?? [];
  if (words.length > declared.length) {
    throw usage(
      `${JSON.stringify(words[declared.length])} is one word too many`,
      "Put a name with blanks in quotes, and a program with its arguments after --",
    );
  }
  // the parser has checked that every required word is there, in the order of the declaration
  return {
    args: declared.map((_, index) => words[index]) as unknown as ArgumentsOf<A>,
    program: parser.args.slice(words.length),
  };
}

function readOptions<O extends Options>(parser: Parser, options: O | undefined): ValuesOf<O> {
  const values: Record<string, unknown> = {};
  for (const [key, { flags, read }] of Object.entries(options ?? {})) {
    const raw: unknown = parser.getOptionValue(new ParserOption(flags).attributeName());
    if (raw === undefined) continue;
    values[key] = raw === false ? null : read(Array.isArray(raw) ? raw : [""]);
  }
  // each value was made by the `read` of its own declaration
  return values as ValuesOf<O>;
}
