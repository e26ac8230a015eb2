import { constants } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { errorCode } from "../system-error.ts";
import { placesOf } from "./places-of-program.ts";

/** A program as a task names it, and where the system looks for it. */
export interface ProgramName {
  readonly program: string;
  readonly directory: string;
  /** The folders in which a program without a slash is searched. */
  readonly path: string | undefined;
}

/** A script, and the interpreter that its first line names. */
export interface Script {
  readonly place: string;
  readonly interpreter: string;
}

/** The system reads no more of a file to find its interpreter. */
const headBytes = 256;
/** The system follows no more interpreters of interpreters. */
const depthMax = 4;
const elfMark = "\u007fELF";

/**
 * Names the file at fault for a start that failed with this code. The system reports a missing interpreter as if the
 * program were missing.
 */
export async function findFileAtFault(name: ProgramName, code: string, depth = depthMax): Promise<string> {
  const { program, directory, path } = name;
  for (const place of depth === 0 ? [] : placesOf(program, path)) {
    const head = await readHead(resolve(directory, place));
    if (head === null) continue;
    if (head.startsWith(elfMark)) return code === "ENOENT" ? `the dynamic loader of ${place}` : program;
    const interpreter = interpreterOf(head);
    if (interpreter === null || (await codeOfStart(resolve(directory, place))) !== null) return program;
    const own = await codeOfStart(resolve(directory, interpreter));
    if (own === null) return findFileAtFault({ ...name, program: interpreter }, code, depth - 1);
    return nameInterpreter({ place, interpreter });
  }
  return program;
}

/** A carriage return is part of the name to the system, and invisible to people. */
export function nameInterpreter({ place, interpreter }: Script): string {
  if (!interpreter.endsWith("\r")) return `the interpreter ${interpreter} of ${place}`;
  return `the interpreter ${JSON.stringify(interpreter)} of ${place}, whose lines end with CR LF,`;
}

/** Returns the system's code for a file that it cannot execute; null if it can. */
async function codeOfStart(file: string): Promise<string | null> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile() ? null : "EACCES";
  } catch (error) {
    return errorCode(error);
  }
}

/** Reads the beginning of a file; null if it is no plain file or cannot be read. */
async function readHead(file: string): Promise<string | null> {
  try {
    // opening a pipe or a device may block or act on it
    if (!(await stat(file)).isFile()) return null;
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return null;
  }
}

function interpreterOf(head: string): string | null {
  return /^#![ \t]*([^ \t\n\0]+)[ \t\n\0]/.exec(`${head}${head.length < headBytes ? "\n" : ""}`)?.[1] ?? null;
}
