import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand, type CommandResult } from "../../scripts/run-command.ts";

export const home = fileURLToPath(new URL("..", import.meta.url));
const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../../packages/contract/openapi/${name}.json`, import.meta.url));
export const documentPath = pathOf("local");
export const remoteDocumentPath = pathOf("remote");

/** Returns the errors and warnings of a linter for a document, each as `rule: message`. */
export type Linter = (document: string) => Promise<readonly string[]>;

export const linters: Readonly<Record<string, Linter>> = {
  redocly: async (document) => {
    const args = ["lint", document, "--config", "redocly.yaml", "--format", "json"];
    const { stdout } = await runOwn("redocly", args);
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  },
  spectral: async (document) => {
    const args = ["lint", document, "--ruleset", "spectral.yaml", "--format", "json", "--quiet"];
    const { stdout } = await runOwn("spectral", args);
    const problems = JSON.parse(stdout) as { code: string; message: string }[];
    return problems.map(({ code, message }) => `${code}: ${message}`);
  },
};

/** Runs a command that this package depends on. */
export function runOwn(command: string, args: readonly string[]): Promise<CommandResult> {
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return runCommand(join(home, "node_modules/.bin", command), args, { cwd: home, env });
}
