import { CompatibilityError, ConnectionError } from "./errors.ts";
import { readWithin, silenceMaxMs } from "./read-within.ts";

/**
 * Yields the JSON of each line as it arrives, and closes the response if the reader stops. An answer that does not end with
 * a complete line throws a `ConnectionError`. The type of a line is not checked at run time.
 */
export async function* readLines<T>(
  response: Response,
  silenceMs: number = silenceMaxMs,
): AsyncGenerator<T, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const bytes = await readWithin(reader, silenceMs);
      if (bytes === null) break;
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield parseLine<T>(line);
    }
    if (rest !== "") throw new ConnectionError("The connection to the daemon broke within a line.");
  } finally {
    // cancelling a broken answer fails, which does not matter
    await reader.cancel().catch(() => undefined);
  }
}

function parseLine<T>(line: string): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw new CompatibilityError("A line of the answer is not JSON. Check that the server is a Belfry daemon.");
  }
}
