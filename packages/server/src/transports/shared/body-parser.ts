import { limits, type Operation } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import { startThread, type Thread, untilThreadEnds } from "../../kernel/thread.ts";
import { type ParsedBody, parseBody } from "./body.ts";
import type { BodyAnswer, BodyRequest } from "./body-worker.ts";

export type BodyParser = ReturnType<typeof createBodyParser>;

/** A smaller body is parsed in less time than a thread needs to start. */
const inlineBytesMax = 64 * 1024;
const isSource = import.meta.url.endsWith(".ts");
/** The program of the thread, which is beside this file in the source and in the bundle. */
const program = new URL(isSource ? "./body-worker.ts" : "./body-worker.js", import.meta.url);

/**
 * Parses bodies. A large one, which only some operations accept, is parsed in a thread, so that the daemon keeps answering
 * other requests. One thread runs at a time, and each ends with its body, which frees its memory.
 */
export function createBodyParser() {
  let turn: Promise<unknown> = Promise.resolve();
  let thread: Thread | null = null;
  let isClosed = false;

  return {
    /** `refused` lists members that this caller may not send. */
    parse: (operation: Operation, bytes: Uint8Array, refused: readonly string[]): ParsedBody | Promise<ParsedBody> => {
      const isLarge = (operation.bodyBytesMax ?? 0) > limits.bodyBytesMax && bytes.length > inlineBytesMax;
      if (!isLarge) {
        const { value, sent } = parseBody(operation, bytes, refused);
        return { value, sent: { value: sent } };
      }
      const parsed = turn.then(() => parseInThread({ operation: operation.id, bytes, refused }));
      turn = parsed.catch(() => {});
      return parsed;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      if (thread !== null) await untilThreadEnds(thread);
    },
  };

  async function parseInThread(request: BodyRequest): Promise<ParsedBody> {
    const answer = isClosed ? null : await askThread(request).catch(rethrowUnlessClosed);
    // an answer during the stop comes too late
    if (answer === null || isClosed)
      throw new AppError(
        "audit_unavailable",
        "the daemon is stopping, so nothing was changed: try again when the daemon is running",
      );
    if ("parsed" in answer) return answer.parsed;
    if ("failure" in answer) throw new Error(answer.failure);
    throw new AppError(answer.refusal.code, answer.refusal.message, { field: answer.refusal.field });
  }

  /** Throws the error again, unless the stop ended the thread. */
  function rethrowUnlessClosed(error: unknown): null {
    if (!isClosed) throw error;
    return null;
  }

  async function askThread(request: BodyRequest): Promise<BodyAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<BodyAnswer>();
    thread = startThread({ program, name: "body-parser", data: request });
    thread
      .once("message", resolve)
      .once("error", reject)
      .once("exit", () => reject(new Error("the thread that parses a large body ended without an answer")));
    try {
      return await promise;
    } finally {
      await untilThreadEnds(thread);
      thread = null;
    }
  }
}
