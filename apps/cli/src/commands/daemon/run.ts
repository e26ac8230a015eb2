import { fileURLToPath } from "node:url";
import { defineCommand } from "../../command.ts";
import { findDaemonProgram } from "../../daemon/executable.ts";
import { oneOf, text } from "../../options.ts";

export const command = defineCommand({
  options: {
    config: text("--config <file>", "configuration (config.toml in the data directory; or BELFRY_CONFIG)"),
    logLevel: oneOf("--log-level <level>", "what to log", ["debug", "info", "warn", "error"]),
  },
  details:
    "It stays in the foreground until Ctrl-C or TERM. Running tasks go on without it and are found again at its next start.",
  examples: [
    ["belfry daemon run", "with the data directory of the platform"],
    ["belfry daemon run --data-dir ./try --log-level debug", "a second one, to try things"],
  ],
  run: async ({ options, location }) => {
    const program = findDaemonProgram();
    const words = [
      ["--data-dir", location.dataDir],
      ["--socket", location.socket],
      ["--config", options.config],
      ["--log-level", options.logLevel],
    ].flatMap(([name, value]) => (typeof value === "string" ? [name!, value] : []));
    // in this very process, so that signals and the process id are the daemon's; it reads its words from argv
    process.argv = [process.execPath, fileURLToPath(program), ...words];
    await import(program);
  },
});
