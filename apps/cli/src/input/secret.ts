import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readText } from "./text.ts";

interface Asked {
  /** The option that names a file: `--endpoint-file`. */
  readonly option: string;
  readonly file: string | undefined;
  /** What a person at a terminal is asked. */
  readonly question: string;
}

/** From a file, from standard input, or from whoever sits at the terminal; never from the command line, where all can read it. */
export async function readSecret({ option, file, question }: Asked, host: Host): Promise<string> {
  const text = file === undefined ? await ask(question, option, host) : await readText(file, host);
  const secret = text.replace(/\r?\n$/, "");
  if (secret !== "") return secret;
  throw usage(`${option}: there is nothing in it`);
}

/** The same for one that need not be given. */
export async function readGivenSecret(asked: Asked, host: Host): Promise<string | undefined> {
  return asked.file === undefined ? undefined : readSecret(asked, host);
}

/** Standard input can be read once. */
export function refuseTwoInputs(files: readonly (string | null | undefined)[]): void {
  if (files.filter((file) => file === "-").length > 1)
    throw usage("only one of these can be read from standard input: put the others in files");
}

function ask(question: string, option: string, host: Host): Promise<string> {
  if (host.askSecret === null) throw usage(`give ${option} <file>, or - for standard input`);
  return host.askSecret(`${question}: `);
}
