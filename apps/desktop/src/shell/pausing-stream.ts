import { ConnectionError } from "@belfry/client";
import { PausedStreamError } from "./shell.ts";

/** Whether a person can see the tab. */
export interface Visibility {
  readonly isHidden: () => boolean;
  /** Calls the listener at each change. Returns a function that removes it. */
  readonly onVisibility: (listener: () => void) => () => void;
}

export interface Pauses {
  /** How long a hidden tab keeps its streams. */
  readonly hiddenMs: number;
  /** The daemon sends a comment as often, so a reader does not take a pause for a broken connection. */
  readonly commentMs: number;
  /** How long an opening after a pause may take. Its reader waits longer, and does not know when the pause began. */
  readonly reopenMs: number;
}

export const defaultPauses: Pauses = { hiddenMs: 3_000, commentMs: 15_000, reopenMs: 20_000 };

type Open = (signal: AbortSignal) => Promise<Response>;

const comment = new TextEncoder().encode(":\n\n");
const newline = 10;

/**
 * Opens a stream of events that lets go of its connection while nobody sees the tab, and opens it again when somebody does.
 * A browser opens at most six connections to `belfry ui`, for all tabs together, and each stream takes one: tabs in the
 * background would otherwise leave none for the one in front. To its reader, it is one stream: each opening begins with
 * what the daemon sends first, so the SDK reads the present state again. If it cannot be opened again, it breaks with a
 * `PausedStreamError`.
 */
export async function openPausingStream({
  open,
  signal,
  visibility,
  pauses = defaultPauses,
}: {
  readonly open: Open;
  /** Breaks the stream off, also while it pauses. */
  readonly signal: AbortSignal;
  readonly visibility: Visibility;
  readonly pauses?: Pauses;
}): Promise<Response> {
  const left = new AbortController();
  const ended = AbortSignal.any([left.signal, signal]);
  const first = visibility.isHidden() ? null : await open(ended);
  if (first?.ok === false) return first;
  const chunks = readThroughPauses({ open, first, ended, visibility, pauses });
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        left.abort();
        await chunks.return().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: 200, headers: first?.headers ?? { "content-type": "text/event-stream" } });
}

async function* readThroughPauses(of: {
  readonly open: Open;
  readonly first: Response | null;
  readonly ended: AbortSignal;
  readonly visibility: Visibility;
  readonly pauses: Pauses;
}): AsyncGenerator<Uint8Array, void, undefined> {
  const { open, ended, visibility, pauses } = of;
  // when the daemon's own words ended; null while they come, and before the first
  let pausedAt: number | null = null;
  const onBytes = (): void => void (pausedAt = null);
  try {
    for (let answer = of.first; ; answer = null) {
      while (answer === null) {
        const isShown = await untilShown(visibility, pauses.commentMs, ended);
        ended.throwIfAborted();
        if (isShown) answer = await openWithin(pauses.reopenMs, open, ended);
        else yield comment;
      }
      if (!answer.ok || answer.body === null) throw new Error("The stream could not be opened again.");
      const reader = answer.body.getReader();
      const isOver = yield* readUntilHidden({ reader, visibility, hiddenMs: pauses.hiddenMs, onBytes });
      if (isOver && pausedAt === null) return;
      if (isOver) throw new Error("The stream ended before it went on.");
      pausedAt ??= Date.now();
    }
  } catch (error) {
    throw pausedAt === null || ended.aborted ? error : new PausedStreamError(pausedAt, error);
  }
}

async function openWithin(ms: number, open: Open, ended: AbortSignal): Promise<Response> {
  const late = new AbortController();
  const giveUp = (): void => late.abort(new ConnectionError(`The daemon did not answer within ${ms / 1_000} seconds.`));
  const timer = setTimeout(giveUp, ms);
  try {
    return await open(AbortSignal.any([ended, late.signal]));
  } finally {
    // the signal also ends a stream that has begun
    clearTimeout(timer);
  }
}

/** Returns true if the stream has ended, and false if it pauses: never in the middle of an event. */
async function* readUntilHidden({
  reader,
  visibility,
  hiddenMs,
  onBytes,
}: {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly visibility: Visibility;
  readonly hiddenMs: number;
  readonly onBytes: () => void;
}): AsyncGenerator<Uint8Array, boolean, undefined> {
  const hidden = whenHidden(visibility, hiddenMs);
  try {
    for (let isBetweenEvents = true; ;) {
      const reading = reader.read();
      const read = await (isBetweenEvents ? hidden.orNull(reading) : reading);
      if (read === null) return false;
      if (read.done) return true;
      const bytes: Uint8Array = read.value;
      onBytes();
      isBetweenEvents = bytes.at(-1) === newline && bytes.at(-2) === newline;
      yield bytes;
    }
  } finally {
    hidden.stop();
    await reader.cancel().catch(() => {});
  }
}

interface HiddenTab {
  /** Waits for the work, or until the tab has been hidden for so long: then the result is null. One work at a time. */
  readonly orNull: <T>(work: Promise<T>) => Promise<T | null>;
  readonly stop: () => void;
}

/** A `Promise.race` with one lasting promise would keep something of every event in memory for as long as the stream lives. */
function whenHidden(visibility: Visibility, ms: number): HiddenTab {
  let isOver = false;
  let giveUp = (): void => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    isOver = true;
    giveUp();
  };
  const look = (): void => {
    clearTimeout(timer);
    if (visibility.isHidden()) timer = setTimeout(end, ms);
  };
  const remove = visibility.onVisibility(look);
  look();
  const stop = (): void => {
    clearTimeout(timer);
    remove();
  };
  return {
    stop,
    orNull: (work) =>
      new Promise((resolve, reject) => {
        giveUp = () => resolve(null);
        work.then(resolve, reject);
        if (isOver) giveUp();
      }),
  };
}

/** Resolves with true once the tab is seen or the reader has left, and with false after so long. */
function untilShown(visibility: Visibility, ms: number, ended: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isShown: boolean): void => {
      clearTimeout(timer);
      remove();
      ended.removeEventListener("abort", look);
      resolve(isShown);
    };
    const look = (): void => {
      if (!visibility.isHidden() || ended.aborted) finish(true);
    };
    const timer = setTimeout(() => finish(false), ms);
    const remove = visibility.onVisibility(look);
    ended.addEventListener("abort", look);
    look();
  });
}
