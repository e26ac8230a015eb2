import type { Client } from "@belfry/client";
import { type Command as Parser, Option as ParserOption } from "commander";
import type { Argument, ArgumentsOf, Definition } from "./command-definition.ts";
import { describeCommand } from "./command-help.ts";
import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";
import { usage } from "./failure.ts";
import { readDuration } from "./input/duration.ts";
import { nameOf, type Option, type Options, type ValuesOf } from "./options.ts";
import { localName } from "./profiles/profile-name.ts";

export type { Argument, Definition };

/** A command whose module has been loaded. */
export interface LoadedCommand {
  readonly describe: (parser: Parser) => void;
  readonly run: (parser: Parser, context: Context) => Promise<ExitCode | undefined | void>;
}

type NoOptions = Readonly<Record<string, never>>;

/** Each module under `commands/` exports one. The types of `args` and `options` follow from the definition. */
export function defineCommand<const A extends readonly Argument[] = [], const O extends Options = NoOptions>(
  definition: Definition<A, O>,
): LoadedCommand {
  return {
    describe: (parser) => describeCommand(parser, definition),
    run: (parser, context) =>
      definition.run({
        ...context,
        ...readArguments(parser, definition, context.argv),
        options: readOptions(parser, definition.options, context.argv),
      }),
  };
}

/** A command that needs operations that only the daemon's own machine has. */
export function defineLocalCommand<const A extends readonly Argument[] = [], const O extends Options = NoOptions>(
  definition: Definition<A, O, Client>,
): LoadedCommand {
  return defineCommand<A, O>({
    ...definition,
    isLocal: true,
    run: (call) => {
      // before anything is read, from a prompt or from standard input
      if (call.profile() !== null) refuseRemote();
      return definition.run({ ...call, connect: async () => (await call.connectLocal()) ?? refuseRemote() });
    },
  });
}

/** The options that choose a daemon on this machine. */
const placeOptions = { socket: "--socket", dataDir: "--data-dir" } as const;

interface Standalone {
  /** The options of the daemon's place that have an effect. */
  readonly uses?: readonly (keyof typeof placeOptions)[];
}

/**
 * A command that does not call the daemon in use. The environment and the profile in use are for the commands that call
 * one, but an option here asks for something else than what the command does.
 */
export function defineStandaloneCommand<const A extends readonly Argument[] = [], const O extends Options = NoOptions>({
  uses = [],
  ...definition
}: Definition<A, O> & Standalone): LoadedCommand {
  return defineCommand<A, O>({
    ...definition,
    run: (call) => {
      const { profile } = call.location;
      if (profile !== null && profile !== localName)
        throw usage(
          "--profile has no effect on this command, which works on this machine alone",
          "Leave out --profile, or run the command on the other machine",
        );
      for (const name of ["socket", "dataDir"] as const)
        if (!uses.includes(name) && call.location[name] !== null)
          throw usage(`${placeOptions[name]} has no effect on this command: leave it out`);
      return definition.run(call);
    },
  });
}

function refuseRemote(): never {
  throw usage(
    "this command works only on the daemon's own machine, and the profile in use is of a daemon on another machine",
    "Run the command on that machine. For the daemon on this machine, add: --profile local",
  );
}

function readArguments<A extends readonly Argument[], O extends Options>(
  parser: Parser,
  definition: Definition<A, O>,
  argv: readonly string[],
): { readonly args: ArgumentsOf<A>; readonly program: readonly string[] } {
  const dashes = argv.indexOf("--");
  const programCount = definition.takesProgram === true && dashes >= 0 ? argv.length - dashes - 1 : 0;
  const given = parser.args.slice(0, parser.args.length - programCount);
  const declared = definition.arguments ?? [];
  const isMany = declared.at(-1)?.isMany === true;
  if (given.length > declared.length && !isMany) {
    const hint = definition.extraArgumentHint;
    const extra = JSON.stringify(given[declared.length]);
    throw hint === undefined
      ? usage(`unexpected argument ${extra}`, extraArgumentHint(definition, extra, argv))
      : usage("unexpected argument", hint);
  }
  // the parser has checked that every required argument is present
  return {
    args: declared.map((one, index) =>
      one.isMany === true ? given.slice(index) : given[index],
    ) as unknown as ArgumentsOf<A>,
    program: parser.args.slice(given.length),
  };
}

/** The parts of a definition that a hint needs, whatever its types. */
interface Shape {
  readonly takesProgram?: boolean;
  readonly arguments?: readonly Argument[];
  readonly options?: Options;
}

function extraArgumentHint(definition: Shape, extra: string, argv: readonly string[]): string {
  if (definition.takesProgram === true) {
    // the first field is no expression, and the shell has replaced each `*` by file names
    if (/^[\d*/,-]+$/.test(argv[argv.indexOf("--cron") + 1] ?? "") && argv.includes("--cron"))
      return 'Quote the cron expression, for example --cron "0 3 * * *"';
    if (argv.includes("--shell")) return "Quote the script, so that it is one argument: --shell 'echo hello; date'";
    if (!argv.includes("--")) return "Put the command after --, and quote names that contain spaces";
  }
  if ((definition.arguments?.length ?? 0) > 0) return "Quote names that contain spaces";
  const names = Object.values(definition.options ?? {}).map(({ flags }) => nameOf(flags));
  const only = "This command takes only options";
  if (names.includes("--task")) return `${only}. To name a task, use: --task ${extra}`;
  if (names.includes("--until") && readDuration(JSON.parse(extra) as string) !== null)
    return `${only}. To end after this time, use: --until ${extra.replace(/^"(\w+)"$/, "$1")}`;
  return names.includes("--group") && !names.includes("--name")
    ? `${only}. To name a group, use: --group ${extra}`
    : only;
}

function readOptions<O extends Options>(parser: Parser, options: O | undefined, argv: readonly string[]): ValuesOf<O> {
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options ?? {})) {
    const raw: unknown = parser.getOptionValue(new ParserOption(option.flags).attributeName());
    if (raw === undefined) continue;
    if (option.clearSummary !== undefined) refuseBoth(nameOf(option.flags), argv);
    if (Array.isArray(raw)) refuseRepeated(option, raw);
    values[key] = raw === false ? null : option.read(Array.isArray(raw) ? raw : [""]);
  }
  // each value was made by the `read` of its own declaration
  return values as ValuesOf<O>;
}

/** To keep only the last value would ignore what the caller asked for, such as a second schedule. */
function refuseRepeated({ flags, isRepeatable, repeatHint }: Option<unknown>, given: readonly unknown[]): void {
  if (given.length > 1 && isRepeatable !== true)
    throw usage(`${nameOf(flags)} was given more than once: give it once`, repeatHint);
}

/** The parser would keep the last of the two. */
function refuseBoth(name: string, argv: readonly string[]): void {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const clearing = name.replace("--", "--no-");
  if (words.includes(clearing) && words.some((word) => word === name || word.startsWith(`${name}=`)))
    throw usage(`${name} and ${clearing} cannot be combined. Use one of them`);
}
