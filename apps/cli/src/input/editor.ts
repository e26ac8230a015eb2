import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";

/** The command that opens an editor, or null: without a terminal, only an editor that the user has named is opened. */
export function editorOf({ environment, stdin, stdout }: Host): string | null {
  const named = environment["VISUAL"] || environment["EDITOR"];
  return named || (stdin.isTTY === true && stdout.isTTY === true ? "vi" : null);
}

interface Editing {
  readonly editor: string;
  readonly text: string;
  /** Called with the path of the file if the editing fails: what the user has typed must not be lost. */
  readonly onKept: (path: string) => void;
}

/** Why a text was not accepted. */
export interface Problem {
  /** The error, for a text with so many lines above it. */
  readonly describe: (linesAbove: number) => string;
  /** The error for the terminal, which shows no text. Default: the one above the text. */
  readonly onTerminal?: string;
  /** The text to edit instead. It may be saved as it is. */
  readonly text?: string;
}

/**
 * Lets the user edit a text in a private file until `accept` returns null. An error that it returns is put on top of the
 * text, and the editor opens again. Returns false if the user saves an empty text, or changes nothing. Fails if the user
 * saves a rejected text again: an editor that is a script would do so for ever.
 */
export async function editText(
  { editor, text, onKept }: Editing,
  host: Host,
  accept: (edited: string) => Promise<Problem | null>,
): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), "belfry-"));
  const path = join(directory, "task.jsonc");
  let rejected: string | null = null;
  let mayStay = false;
  let isKept = false;
  try {
    for (let shown = text, error = ""; ;) {
      await writeFile(path, shown, { mode: 0o600 });
      const written = await timeOf(path);
      try {
        await openEditor(editor, path, host);
      } catch (failure) {
        isKept ||= (await readFile(path, "utf8").catch(() => shown)) !== shown;
        throw failure;
      }
      const edited = await readFile(path, "utf8");
      if (edited.trim() === "" || (rejected === null && edited === shown)) {
        isKept = false;
        return false;
      }
      isKept = true;
      const isSaved = edited !== shown || (await timeOf(path)) !== written;
      if (mayStay ? !isSaved : withoutErrors(edited) === rejected) throw refuseUnchanged(error, isSaved);
      const problem = await accept(withoutErrors(edited));
      if (problem === null) {
        isKept = false;
        return true;
      }
      const above = problem.describe(problem.describe(0).split("\n").length);
      error = problem.onTerminal ?? above;
      rejected = problem.text ?? withoutErrors(edited);
      mayStay = problem.text !== undefined;
      shown = `${asComment(above)}\n${rejected}`;
    }
  } finally {
    if (isKept) onKept(path);
    else await rm(directory, { recursive: true, force: true });
  }
}

async function timeOf(path: string): Promise<bigint> {
  return (await stat(path, { bigint: true })).mtimeNs;
}

function refuseUnchanged(error: string, isSaved: boolean): Failure {
  return new Failure(exitCodes.failed, error, {
    hint: `The text was ${isSaved ? "saved again without a change" : "not saved again"}, so nothing was changed`,
  });
}

const errorStart = "//! ";

function asComment(error: string): string {
  return error
    .split("\n")
    .map((line) => `${errorStart}${line}`)
    .join("\n");
}

function withoutErrors(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith(errorStart))
    .join("\n");
}

async function openEditor(editor: string, path: string, { environment, onInterrupt }: Host): Promise<void> {
  // Ctrl-C is for the editor, which has the terminal: it may go on, and what it saves must be read
  using _ = onInterrupt(() => {});
  // an editor may have arguments, as in EDITOR="code --wait"
  const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, editor, path], {
    stdio: "inherit",
    env: { ...environment, PATH: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" },
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0)
    throw new Failure(exitCodes.failed, `the editor ${JSON.stringify(editor)} failed, and nothing was changed`, {
      hint: "Choose another editor with the environment variable EDITOR",
    });
}
