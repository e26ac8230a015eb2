import {
  type FilesystemWatcherCreate,
  type FilesystemWatcherPatch,
  formatDuration,
  limits,
  watcherDefaults,
} from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";
import { durationMs } from "../../kernel/time/duration.ts";
import { findPatternFault } from "./pattern.ts";
import type { WatcherRow } from "./table.ts";

/** The columns that say which files are watched: a change of one begins another observation. */
export type Selection = Pick<WatcherRow, "kind" | "path" | "pattern" | "recursive">;
export type Timing = Pick<WatcherRow, "debounceMs" | "stabilityMs" | "maxWaitMs">;
export type Definition = Selection & Timing & Pick<WatcherRow, "onStart">;

export function createdDefinition(input: FilesystemWatcherCreate): Definition {
  const [debounceMs, stabilityMs] = [durationMs(input.debounce), durationMs(input.stability)];
  const maxWaitMs =
    input.max_wait === undefined
      ? Math.max(watcherDefaults.maxWaitMs, debounceMs + stabilityMs)
      : durationMs(input.max_wait);
  const definition: Definition = {
    kind: input.kind,
    path: input.path,
    pattern: input.kind === "directory" ? input.pattern : null,
    recursive: input.recursive,
    debounceMs,
    stabilityMs,
    maxWaitMs,
    onStart: input.on_start,
  };
  checkDefinition(definition, input);
  return definition;
}

/** The definition after a patch. A pattern that selects all files is dropped with the directory it was for. */
export function patchedDefinition(row: Definition, patch: FilesystemWatcherPatch): Definition {
  const kind = patch.kind ?? row.kind;
  const pattern = patch.pattern === undefined ? row.pattern : patch.pattern;
  const definition: Definition = {
    kind,
    path: patch.path ?? row.path,
    pattern: kind === "directory" ? (pattern ?? watcherDefaults.pattern) : pattern,
    recursive: patch.recursive ?? row.recursive,
    debounceMs: patch.debounce === undefined ? row.debounceMs : durationMs(patch.debounce),
    stabilityMs: patch.stability === undefined ? row.stabilityMs : durationMs(patch.stability),
    maxWaitMs: patch.max_wait === undefined ? row.maxWaitMs : durationMs(patch.max_wait),
    onStart: patch.on_start ?? row.onStart,
  };
  const isDefault = patch.pattern === undefined && pattern === watcherDefaults.pattern;
  const whole = kind === "file" && isDefault ? { ...definition, pattern: null } : definition;
  checkDefinition(whole, patch);
  return whole;
}

/** Throws for members that do not fit together. The error names a member that the caller sent. */
function checkDefinition(definition: Definition, sent: FilesystemWatcherPatch): void {
  const { kind, pattern, recursive } = definition;
  if (kind === "file" && pattern !== null) {
    throw typeof sent.pattern === "string"
      ? invalid("pattern", "a watcher of a file has no pattern: leave out `pattern`")
      : invalid("kind", "a watcher of a file has no pattern: clear `pattern` in the same call");
  }
  if (kind === "file" && recursive) {
    throw sent.recursive === true
      ? invalid("recursive", "a watcher of a file cannot be recursive: leave out `recursive`")
      : invalid("kind", "a watcher of a file cannot be recursive: set `recursive` to false in the same call");
  }
  const fault = typeof sent.pattern === "string" ? findPatternFault(sent.pattern) : null;
  if (fault !== null) throw invalid("pattern", `pattern ${JSON.stringify(sent.pattern)} ${fault}`);
  checkTiming(definition, sent);
}

function checkTiming({ debounceMs, stabilityMs, maxWaitMs }: Timing, sent: FilesystemWatcherPatch): void {
  const leastMs = debounceMs + stabilityMs;
  if (maxWaitMs >= leastMs) return;
  const fields = ["max_wait", "debounce", "stability"] as const;
  const field = fields.find((name) => sent[name] !== undefined) ?? "max_wait";
  const [least, maxWait] = [formatDuration(leastMs), formatDuration(maxWaitMs)];
  throw invalid(
    field,
    `max_wait is ${maxWait}, which is less than \`debounce\` and \`stability\` together (${least}): set \`max_wait\` to between ${least} and ${formatDuration(limits.watcherMaxWaitMs)}`,
  );
}
