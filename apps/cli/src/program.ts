import { Command as Parser, Help, Option as ParserOption } from "commander";
import { commandList, type CommandEntry, type CommandFamily } from "./command-list.ts";
import { aliasesOf } from "./command-list/entry.ts";
import { findCommandWords } from "./command-words.ts";
import type { LoadedCommand } from "./command.ts";
import { usage } from "./failure.ts";
import type { Host, Sink } from "./host.ts";
import { nameOf } from "./options.ts";
import { helpLayout, wrapCommand } from "./output/help-layout.ts";
import { hintRewriter } from "./output/hints.ts";
import { columnsOf } from "./output/terminal.ts";
import { rewordParserError } from "./parser-errors.ts";
import { readGlobals } from "./typed-globals.ts";

export interface Globals {
  readonly socket?: string;
  readonly dataDir?: string;
  readonly profile?: string;
  readonly json?: true;
  readonly requestTimeout?: string;
}

export interface ProgramParts {
  readonly host: Host;
  readonly version: string;
  readonly argv: readonly string[];
}

/** Runs the selected command with the parser of its arguments. */
export type Start = (command: LoadedCommand, parser: Parser, globals: Globals) => Promise<void>;

/** The parser of all commands. A command's module is loaded once its name is parsed, before its options are. */
export function createProgram({ host, version, argv }: ProgramParts, start: Start): Parser {
  // the parser may fail before it has read these options itself
  const rewrite = hintRewriter(host, readGlobals(argv).location ?? noLocation);
  const errorText = (text: string, parser: Parser): string => rewrite(rewordParserError(text, parser, argv));
  const program = prepare(new Parser("belfry"), host, errorText)
    .description("Schedule and run tasks, and keep their history and logs.")
    .version(`belfry ${version}`, "-V, --version", "print the name and version of this command")
    .usage("<command> [options]")
    .addOption(new ParserOption("--json", "print JSON"))
    .addOption(givenOnce("--socket <path>", "path of the daemon's socket (environment variable: BELFRY_SOCKET)"))
    .addOption(givenOnce("--data-dir <dir>", "the daemon's data directory (environment variable: BELFRY_DATA_DIR)"))
    .addOption(
      givenOnce(
        "--profile <name>",
        "profile of a daemon on another machine, or local (environment variable: BELFRY_PROFILE)",
      ),
    )
    .addOption(
      givenOnce("--request-timeout <duration>", "maximum time to wait for each response of the daemon (default 30s)"),
    )
    .addHelpText("after", () => endOfHelp(helpWidthOf(host.stdout)));
  const entries = new Map<Parser, CommandEntry | CommandFamily>();
  const add = (parent: Parser, entry: CommandEntry | CommandFamily): void => {
    const parser = prepare(new Parser(entry.name), host, errorText)
      .summary(entry.summary)
      .description(sentence(entry.summary));
    if (!("subcommands" in entry)) parser.aliases(aliasesOf(entry));
    entries.set(parser, entry);
    parent.addCommand(parser, { hidden: "isHidden" in entry });
  };
  const open = async (_parent: Parser, parser: Parser): Promise<void> => {
    const entry = entries.get(parser)!;
    if ("subcommands" in entry) {
      for (const subcommand of entry.subcommands) add(parser, subcommand);
      parser.hook("preSubcommand", open);
      return;
    }
    const { command } = await entry.load();
    command.describe(parser);
    parser.action(() => start(command, parser, program.opts<Globals>()));
  };
  for (const entry of commandList) add(program, entry);
  return program.hook("preSubcommand", open);
}

/** The parser would keep the last of two values, so a command would call another daemon than the first one names. */
function givenOnce(flags: string, summary: string): ParserOption {
  return new ParserOption(flags, summary).argParser<string>((value, previous: string | undefined) => {
    if (previous !== undefined) throw usage(`${nameOf(flags)} was given more than once: give it once`);
    // most often an unset variable; an empty path would be the current directory
    if (value === "") throw usage(`${nameOf(flags)} is empty: give a value, or leave the option out`);
    return value;
  });
}

/** `belfry help task add` and `belfry task help add` are `belfry task add --help`. */
export function withHelpOption(argv: readonly string[]): readonly string[] {
  const [first, second] = findCommandWords(argv);
  if (first === undefined) return argv;
  const isFamily = commandList.some((entry) => "subcommands" in entry && entry.name === argv[first]);
  const help = [first, ...(isFamily ? [second] : [])].find((place) => place !== undefined && argv[place] === "help");
  return help === undefined ? argv : [...argv.toSpliced(help, 1), "--help"];
}

/** Whether the arguments begin with the name of a command that does not exist. */
export function namesUnknownCommand(argv: readonly string[]): boolean {
  const [first, second] = findCommandWords(argv).map((place) => argv[place]!);
  if (first === undefined) return false;
  const entry = commandList.find((known) => isNamed(known, first));
  if (entry === undefined) return true;
  return "subcommands" in entry && second !== undefined && !entry.subcommands.some((known) => isNamed(known, second));
}

function isNamed(entry: CommandEntry | CommandFamily, name: string): boolean {
  return entry.name === name || (!("subcommands" in entry) && aliasesOf(entry).includes(name));
}

const noLocation = { socket: null, dataDir: null, profile: null };

/** Throws instead of exiting, and writes to the host's streams. */
function prepare(parser: Parser, host: Host, errorText: (text: string, parser: Parser) => string): Parser {
  return parser
    .exitOverride()
    .helpCommand(false)
    .helpOption("-h, --help", "show help")
    .configureHelp({ ...helpLayout, showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void host.stderr.write(text),
      outputError: (text, write) => write(errorText(text, parser)),
      getOutHelpWidth: () => helpWidthOf(host.stdout),
      getErrHelpWidth: () => helpWidthOf(host.stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

function helpWidthOf(sink: Sink): number {
  return Math.min(columnsOf(sink, 100), 120);
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

const firstSteps = [
  "belfry daemon run    # in another terminal",
  'belfry task add "Nightly backup" --cron "0 3 * * *" -- backup --all',
  'belfry task run "Nightly backup" --follow',
  "belfry status",
  "crontab -l | belfry import crontab - --dry-run",
];

const exitCodeText =
  "Exit codes: 0 success, 1 failure, 2 usage error, 3 not found, 4 daemon unreachable, 5 permission denied, 6 result unknown (check before retrying), 126 or 127 the run could not be started, 130 interrupted";

function endOfHelp(width: number): string {
  const wrap = (text: string): string => new Help().boxWrap(text, width);
  return [
    "",
    "First steps:",
    ...firstSteps.map((line) => `  ${wrapCommand(line, width - 2).replaceAll("\n", "\n  ")}`),
    "",
    wrap("Run `belfry help <command>` for a command's options and examples."),
    "",
    wrap(exitCodeText),
  ].join("\n");
}
