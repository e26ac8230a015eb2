import { tempDir } from "@belfry/test-kit";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "../../../../apps/cli/src/host.ts";
import { createProgram } from "../../../../apps/cli/src/program.ts";
import { readConfig } from "../../../../packages/server/src/kernel/config/config.ts";
import { runCommand } from "../../../scripts/run-command.ts";
import type { Block } from "./read-page.ts";
import { splitCommands, wordsOfBelfry } from "./shell-commands.ts";

/** Finds what is wrong with a block without running it. The complaint is empty if nothing is. */
export async function findComplaint({ language, text }: Block): Promise<string> {
  if (language === "sh") return (await complaintOfSyntax(text)) || (await complaintOfCommands(text));
  if (language === "json") return complaintOf(() => JSON.parse(text));
  if (language === "toml") return complaintOfConfig(text);
  if (language === "ini") return complaintOfUnit(text);
  if (language === "dockerfile") return complaintOfDockerfile(text);
  return "";
}

async function complaintOfSyntax(text: string): Promise<string> {
  const { exitCode, output } = await runCommand("bash", ["-n", "-c", text]);
  return exitCode === 0 ? "" : output;
}

async function complaintOfCommands(text: string): Promise<string> {
  const complaints: string[] = [];
  for (const command of splitCommands(text)) {
    const words = wordsOfBelfry(command);
    complaints.push(words === null ? await complaintOfProgram(command) : await complaintOfBelfry(words));
  }
  return complaints.filter((complaint) => complaint !== "").join("\n");
}

/** Finds what is wrong with a command in a sentence, which may leave its arguments out. */
export async function findInlineComplaint(command: string): Promise<string> {
  const complaint = await complaintOfCommands(command);
  return /unknown (?:option|command)|unexpected argument/.test(complaint) ? complaint : "";
}

/** Parses the words as the command does, and runs nothing. */
async function complaintOfBelfry(words: readonly string[]): Promise<string> {
  let written = "";
  const program = createProgram(
    { host: silentHost((text) => (written += text)), version: "0.0.0", argv: words },
    async (_command, { args, registeredArguments }) => {
      const isMany = registeredArguments.at(-1)?.variadic === true;
      if (args.length > registeredArguments.length && !isMany) written += `unexpected argument ${args.at(-1)}`;
    },
  );
  await program.parseAsync(words, { from: "user" }).catch((error: unknown) => {
    if (!(error instanceof Error && "exitCode" in error)) throw error;
    if (error.exitCode === 0) written = "";
    else written ||= error.message;
  });
  return written === "" ? "" : `belfry ${words.join(" ")}: ${written}`;
}

function silentHost(onText: (text: string) => void): Host {
  const sink = { write: (data: string | Uint8Array) => onText(data.toString()) };
  return {
    ownsProcess: false,
    stdin: Object.assign((async function* () {})(), { isTTY: false }),
    stdout: sink,
    stderr: sink,
    environment: {},
    keychain: null,
    now: () => 0,
    onInterrupt: () => ({ [Symbol.dispose]: () => undefined }),
    exit: (code) => {
      throw new Error(`exited with ${code}`);
    },
  };
}

/** Programs whose help lists their options; the first word that is no option can select another help. */
const programs: Readonly<Record<string, { readonly hasHelpBySubcommand: boolean }>> = {
  systemctl: { hasHelpBySubcommand: false },
  journalctl: { hasHelpBySubcommand: false },
  loginctl: { hasHelpBySubcommand: false },
  "systemd-analyze": { hasHelpBySubcommand: false },
  docker: { hasHelpBySubcommand: true },
};

async function complaintOfProgram(command: readonly string[]): Promise<string> {
  const [name = "", ...words] = command[0] === "sudo" ? command.slice(1) : command;
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (program === undefined) return "";
  const [verb = ""] = words.filter((word) => !word.startsWith("-"));
  const { exitCode, output } = await runCommand(name, [...(program.hasHelpBySubcommand ? [verb] : []), "--help"]);
  // a machine without the program cannot tell
  if (exitCode !== 0) return "";
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0]!);
  const expected = name === "systemctl" || name === "loginctl" ? [verb, ...options] : options;
  const missing = expected.filter((word) => !output.includes(word));
  return missing.length === 0 ? "" : `${name} has no ${missing.join(", ")}`;
}

function complaintOf(read: () => unknown): string {
  try {
    read();
    return "";
  } catch (error) {
    return String(error);
  }
}

/** The daemon's own reader rejects what it does not know. Files that the page does not contain are left out. */
async function complaintOfConfig(text: string): Promise<string> {
  await using dir = await tempDir();
  const withoutFiles = text.replaceAll(/^(ca_file|certificate|key|authority) = .*$/gm, "");
  await writeFile(join(dir.path, "config.toml"), withoutFiles);
  return complaintOf(() => readConfig({ dataDir: dir.path }, { PATH: "/usr/bin:/bin" }));
}

async function complaintOfUnit(text: string): Promise<string> {
  const wrong = text.split("\n").filter((line) => !/^(?:|[#;].*|\[\w+\]|[A-Z]\w+=.*)$/.test(line));
  if (wrong.length > 0) return `no line of a unit: ${wrong[0]}`;
  if (!existsSync("/usr/bin/systemd-analyze")) return "";
  await using dir = await tempDir();
  const kind = text.includes("[Timer]") ? "timer" : "service";
  const unit = join(dir.path, `page.${kind}`);
  // the machine of the test has neither the program nor the account
  const here = text.replaceAll(/^(ExecStart=)\S+/gm, "$1/bin/true").replaceAll(/^(User|Group)=.*$/gm, "");
  await writeFile(unit, here);
  if (kind === "timer") await writeFile(join(dir.path, "page.service"), "[Service]\nExecStart=/bin/true\n");
  const { output } = await runCommand("systemd-analyze", ["verify", "--man=no", "--recursive-errors=no", unit]);
  return output
    .split("\n")
    .filter((line) => line.includes(dir.path))
    .join("\n");
}

function complaintOfDockerfile(text: string): string {
  const instructions = text
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter((line) => !/^(?:#.*|)$/.test(line));
  const wrong = instructions.find((line) => !/^(?:FROM|RUN|COPY|USER|ENV|VOLUME|WORKDIR|ENTRYPOINT|CMD) \S/.test(line));
  if (wrong !== undefined) return `unknown instruction: ${wrong}`;
  return instructions[0]?.startsWith("FROM ") === true ? "" : "the first instruction is not FROM";
}
