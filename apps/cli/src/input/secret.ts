import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readText } from "./text.ts";

/** Far above the length of any secret: a longer input is the wrong file. */
const secretBytesMax = 16 * 1024;

export interface SecretInput {
  /** A file. If it is undefined or `-`: a prompt at a terminal, otherwise standard input. */
  readonly file: string | undefined;
  /** As prompts and errors name it: `trigger key`. */
  readonly noun: string;
  /** Asks twice at a terminal: nothing else would notice a typing mistake. */
  readonly isNew?: boolean;
}

/** Reads a secret of one line. It is never an argument, because other users can read those. */
export async function readSecret({ file, noun, isNew = false }: SecretInput, host: Host): Promise<string> {
  const isPrompt = (file === undefined || file === "-") && host.stdin.isTTY === true;
  const origin = file === undefined || file === "-" ? "standard input" : file;
  const bounds = {
    bytesMax: secretBytesMax,
    subject: `the file ${origin} of the ${noun}`,
    tooLong: `${origin} is too long for the ${noun}: the maximum is ${secretBytesMax} bytes`,
  };
  const prompts = isNew ? [noun, `${noun} again`] : [noun];
  const text = (isPrompt ? await promptForSame(prompts, host) : await readText(file ?? "-", host, bounds)).trim();
  if (text === "")
    throw usage(
      `missing ${noun}: ${isPrompt ? "nothing was entered" : `${origin} is empty`}`,
      isPrompt
        ? `Run the command again, and enter the ${noun}`
        : `Put the ${noun} into the file, or pipe it to standard input`,
    );
  if (text.includes("\n")) throw usage(`${origin} has more than one line. It must contain only the ${noun}`);
  return text;
}

/** Reads a secret that is optional: without a file there is none, and no prompt. */
export async function readOptionalSecret(input: SecretInput, host: Host): Promise<string | undefined> {
  return input.file === undefined ? undefined : readSecret(input, host);
}

/** Standard input can be read only once. */
export function refuseSharedStdin(files: readonly (string | null | undefined)[]): void {
  if (files.filter((file) => file === "-").length > 1)
    throw usage("only one value can be read from standard input. Put the others in files");
}

/** Characters of the terminal in raw mode. */
const interrupt = "\u0003";
const endOfInput = "\u0004";
const erasers = ["\u007f", "\b"];

async function promptForSame(nouns: readonly string[], host: Host): Promise<string> {
  const [typed = "", ...repeated] = await promptFor(nouns, host);
  if (repeated.some((again) => again !== typed))
    throw usage(`the two inputs of the ${nouns[0]} differ. Run the command again`);
  return typed;
}

/** Reads one line for each noun. */
async function promptFor(nouns: readonly string[], host: Host): Promise<readonly string[]> {
  const { stdin, stderr } = host;
  const lines: string[] = [];
  const prompt = (): void => {
    const noun = nouns[lines.length]!;
    stderr.write(`${noun[0]!.toUpperCase()}${noun.slice(1)} (not shown): `);
  };
  prompt();
  stdin.setRawMode?.(true);
  try {
    let typed = "";
    for await (const chunk of stdin) {
      for (const character of typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")) {
        if (character === interrupt)
          throw new Failure(exitCodes.failed, "the command was interrupted, and nothing was changed");
        if (character === "\r" || character === "\n" || character === endOfInput) {
          lines.push(typed);
          if (lines.length === nouns.length) return lines;
          typed = "";
          stderr.write("\n");
          prompt();
        } else typed = erasers.includes(character) ? typed.slice(0, -1) : typed + character;
      }
    }
    return [...lines, typed];
  } finally {
    stdin.setRawMode?.(false);
    stderr.write("\n");
  }
}
