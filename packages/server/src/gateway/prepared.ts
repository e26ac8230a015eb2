import { describeError } from "../kernel/errors/errors.ts";
import type { Log } from "../kernel/log/log.ts";
import type { PreparedCall } from "./call.ts";

/** The call, for the log. */
interface PreparedFor {
  readonly operation: string;
  readonly requestId: string;
  readonly log: Log;
}

/**
 * Commits a prepared write, and then completes or undoes its preparation. A failure of either is only logged: the
 * commit, or the refusal that caused the undo, is final.
 */
export async function commitPrepared<T>(
  { done, undo }: PreparedCall,
  commit: () => Promise<T>,
  { log, operation, requestId }: PreparedFor,
): Promise<T> {
  const attempt = async (work: (() => void | Promise<void>) | undefined, event: string): Promise<void> => {
    try {
      await work?.();
    } catch (error) {
      log.error(event, { operation, request_id: requestId, error: describeError(error) });
    }
  };
  let result: T;
  try {
    result = await commit();
  } catch (error) {
    await attempt(undo, "request.undo_failed");
    throw error;
  }
  await attempt(done, "request.completion_failed");
  return result;
}
