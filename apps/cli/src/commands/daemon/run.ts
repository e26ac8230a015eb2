import { fileURLToPath } from "node:url";
import { defineStandaloneCommand } from "../../command.ts";
import { findDaemonProgram } from "../../daemon/executable.ts";
import { usage } from "../../failure.ts";
import { oneOf, text } from "../../options.ts";

export const command = defineStandaloneCommand({
  uses: ["socket", "dataDir"],
  options: {
    config: text(
      "--config <file>",
      "configuration file (default: config.toml in the data directory; environment variable: BELFRY_CONFIG)",
    ),
    logLevel: oneOf(
      "--log-level <level>",
      "minimum level to log (default: the level in the configuration file, or info)",
      {
        choices: ["debug", "info", "warn", "error"],
      },
    ),
  },
  details:
    "The daemon runs in the foreground until Ctrl-C or TERM. Running tasks then continue, and the next daemon takes them over.",
  examples: [
    ["belfry daemon run", "use the default data directory"],
    ["belfry daemon run --data-dir ./try --log-level debug", "run a second daemon for experiments"],
  ],
  run: async ({ options, location, host }) => {
    if (options.config === "") throw usage("--config is empty: give a value, or leave the option out");
    const program = findDaemonProgram();
    const daemonArguments = [
      ["--data-dir", location.dataDir],
      ["--socket", location.socket],
      ["--config", options.config],
      ["--log-level", options.logLevel],
      ["--called-as", host.calledAs],
    ].flatMap(([name, value]) => (typeof value === "string" ? [name!, value] : []));
    // in this process, so that signals and the process id are the daemon's; it reads its arguments from argv
    process.argv = [process.execPath, fileURLToPath(program), ...daemonArguments];
    await import(program);
  },
});
