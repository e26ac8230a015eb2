import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readText } from "./text.ts";

interface SecretSource {
  /** A file, or `-` for standard input; undefined for standard input, or a prompt where that is a terminal. */
  readonly file: string | undefined;
  /** What the prompt asks for, and the errors speak of. */
  readonly what: string;
}

/** One line that stands in no process list: typed unseen, or read. */
export async function readSecret({ file, what }: SecretSource, host: Host): Promise<string> {
  const isPrompt = file === undefined && host.stdin.isTTY === true;
  const text = isPrompt ? await promptFor(what, host) : await readText(file ?? "-", host);
  const [secret = "", ...more] = text.trim().split(/\s+/);
  if (secret === "") throw usage(`there is no ${what} ${wordsOf(file)}`);
  if (more.length > 0) throw usage(`there is more than a ${what} ${wordsOf(file)}: it is one word on one line`);
  return secret;
}

function wordsOf(file: string | undefined): string {
  return file === undefined || file === "-" ? "on standard input" : `in ${file}`;
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
