import { request } from "node:http";
import { createChanges } from "./changes.ts";
import type { Json } from "./harness.ts";

export interface Frame {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Json;
}

export type Stream = Awaited<ReturnType<typeof openStream>>;

/** A reader of server-sent events, which ends with its scope. Resolves once the daemon has begun to answer. */
export async function openStream(socketPath: string, path: string, headers: Record<string, string> = {}) {
  const frames: Frame[] = [];
  const changes = createChanges();
  let comments = 0;
  let isEnded = false;
  let text = "";
  let taken = 0;
  const outgoing = request({ socketPath, path, headers: { accept: "text/event-stream", ...headers } });
  const incoming = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve).once("error", reject).end();
  });
  outgoing.on("error", () => {});
  incoming.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      read(text.slice(0, end));
      text = text.slice(end + 2);
    }
    changes.report();
  });
  incoming
    .on("error", () => {})
    .on("close", () => {
      isEnded = true;
      changes.report();
    });

  function read(block: string): void {
    const lines = block.split("\n");
    if (lines.every((line) => line.startsWith(":"))) return void comments++;
    const value = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = value("data");
    if (data !== undefined)
      frames.push({ event: value("event") ?? "message", id: value("id"), data: JSON.parse(data) });
  }

  return {
    status: incoming.statusCode,
    frames,
    comments: () => comments,
    isEnded: () => isEnded,
    /** Checks now, again after each part that arrives, and at the end. */
    until: changes.until,
    untilEnd: () => changes.until("the end of the stream", () => isEnded),
    /** Waits for the next frame that was not returned yet. */
    next: async (): Promise<Frame> => {
      await changes.until(`frame ${taken} of ${path}`, () => frames.length > taken);
      return frames[taken++]!;
    },
    close: (): void => void outgoing.destroy(),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      outgoing.destroy();
      await changes.until("the end of the stream", () => isEnded);
    },
  };
}
