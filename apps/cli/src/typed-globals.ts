import { valuedGlobals } from "./command-words.ts";
import type { DaemonLocation } from "./daemon-location.ts";

interface TypedGlobals {
  /** The words without the options of every command. */
  readonly words: readonly string[];
  /** The daemon that those options choose; null if they choose none. */
  readonly location: DaemonLocation | null;
  /** The option whose value is typed next. */
  readonly awaiting: string | null;
}

/** Reads the options of every command, which can stand anywhere before `--`. */
export function readGlobals(before: readonly string[]): TypedGlobals {
  const end = before.includes("--") ? before.indexOf("--") : before.length;
  const words: string[] = [];
  const values = new Map<string, string>();
  let awaiting: string | null = null;
  for (const word of before.slice(0, end)) {
    const [, name = "", value] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (awaiting !== null) {
      values.set(awaiting, word);
      awaiting = null;
    } else if (!valuedGlobals.includes(name)) {
      if (word !== "--json") words.push(word);
    } else if (value === undefined) awaiting = name;
    else values.set(name, value);
  }
  const [socket = null, dataDir = null, profile = null] = ["--socket", "--data-dir", "--profile"].map((name) =>
    values.get(name),
  );
  const isGiven = socket !== null || dataDir !== null || profile !== null;
  return {
    words: [...words, ...before.slice(end)],
    location: isGiven ? { socket, dataDir, profile } : null,
    awaiting,
  };
}
