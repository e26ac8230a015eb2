import { Command as Parser, Option as ParserOption } from "commander";
import { catalogue, type CatalogueEntry, type CatalogueRoom } from "./catalogue.ts";
import type { LoadedCommand } from "./command.ts";
import type { Host } from "./host.ts";

export interface Globals {
  readonly socket?: string;
  readonly dataDir?: string;
  readonly json?: true;
  readonly requestTimeout?: string;
}

/** Runs the command that was called for, with the parser that read its words. */
export type Start = (command: LoadedCommand, parser: Parser, globals: Globals) => Promise<void>;

/** The parser of all commands. A command's file is loaded when its word has been read, before its options are. */
export function createProgram(host: Host, version: string, start: Start): Parser {
  const program = prepare(new Parser("belfry"), host)
    .description("Runs your tasks on time, and keeps what they did.")
    .version(version, "-V, --version", "print the version")
    .usage("<command> [options]")
    .addOption(new ParserOption("--json", "print JSON, for programs"))
    .addOption(new ParserOption("--socket <path>", "the daemon's socket (or BELFRY_SOCKET)"))
    .addOption(new ParserOption("--data-dir <dir>", "the daemon's data directory (or BELFRY_DATA_DIR)"))
    .addOption(new ParserOption("--request-timeout <duration>", "how long to wait for each answer (30s)"))
    .addHelpText("after", firstSteps);
  const entries = new Map<Parser, CatalogueEntry | CatalogueRoom>();
  const add = (parent: Parser, entry: CatalogueEntry | CatalogueRoom): void => {
    const parser = prepare(new Parser(entry.word), host).summary(entry.summary).description(sentence(entry.summary));
    entries.set(parser, entry);
    parent.addCommand(parser);
  };
  const open = async (_parent: Parser, parser: Parser): Promise<void> => {
    const entry = entries.get(parser)!;
    if ("verbs" in entry) {
      for (const verb of entry.verbs) add(parser, verb);
      parser.hook("preSubcommand", open);
      return;
    }
    const { command } = await entry.load();
    command.describe(parser);
    parser.action(() => start(command, parser, program.opts<Globals>()));
  };
  for (const entry of catalogue) add(program, entry);
  return program.hook("preSubcommand", open);
}

/** Throws in place of exiting, and writes to the host's streams. */
function prepare(parser: Parser, host: Host): Parser {
  return parser
    .exitOverride()
    .helpCommand(false)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void host.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, "belfry: ")),
      getOutHelpWidth: () => Math.min(host.stdout.columns ?? 100, 120),
      getErrHelpWidth: () => Math.min(host.stderr.columns ?? 100, 120),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

const firstSteps = `
First steps:
  belfry daemon run                                              # in another terminal
  belfry task add "Nightly backup" --cron "0 3 * * *" -- backup --all
  belfry task run "Nightly backup" --follow
  crontab -l | belfry import crontab - --dry-run

\`belfry help <command>\` shows a command's options, with examples.

Exit codes: 0 ok, 1 it failed, 2 a mistake in the call, 3 not found, 4 no daemon answers, 5 not allowed, 6 uncertain.`;
