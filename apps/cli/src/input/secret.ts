import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readText } from "./text.ts";

/** None of them comes near it, and what does is another file, or another program's output. */
const secretBytesMax = 16 * 1024;

interface Asked {
  /** A file, or `-` for standard input; undefined for standard input, or a prompt where that is a terminal. */
  readonly file: string | undefined;
  /** What the prompt asks for, and the errors speak of: `trigger key`. */
  readonly what: string;
}

/** One line that stands in no process list: typed unseen, or read. */
export async function readSecret({ file, what }: Asked, host: Host): Promise<string> {
  const isPrompt = file === undefined && host.stdin.isTTY === true;
  const place = file === undefined || file === "-" ? "on standard input" : `in ${file}`;
  const bounds = { bytesMax: secretBytesMax, tooLong: `what stands ${place} is too long to be the ${what}` };
  const text = (isPrompt ? await promptFor(what, host) : await readText(file ?? "-", host, bounds)).trim();
  if (text === "") throw usage(`there is no ${what} ${place}`);
  if (text.includes("\n")) throw usage(`there is more than one line ${place}, where the ${what} should be alone`);
  return text;
}

/** The same for one that need not be given, and is never asked for. */
export async function readOptionalSecret(asked: Asked, host: Host): Promise<string | undefined> {
  return asked.file === undefined ? undefined : readSecret(asked, host);
}

/** Standard input can be read once. */
export function refuseSharedStdin(files: readonly (string | null | undefined)[]): void {
  if (files.filter((file) => file === "-").length > 1)
    throw usage("only one of these can be read from standard input: put the others in files");
}

/** Characters of the terminal in raw mode. */
const interrupt = "\u0003";
const endOfInput = "\u0004";
const erasers = ["\u007f", "\b"];

async function promptFor(what: string, host: Host): Promise<string> {
  const { stdin, stderr } = host;
  stderr.write(`${what[0]!.toUpperCase()}${what.slice(1)} (not shown): `);
  stdin.setRawMode?.(true);
  try {
    let typed = "";
    for await (const chunk of stdin) {
      for (const character of typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")) {
        if (character === interrupt) throw new Failure(exitCodes.failed, "interrupted: nothing was done");
        if (character === "\r" || character === "\n" || character === endOfInput) return typed;
        typed = erasers.includes(character) ? typed.slice(0, -1) : typed + character;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode?.(false);
    stderr.write("\n");
  }
}
