import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/** Calls `take` for each line. A line may be large and arrive in many parts. */
export function readLines(socket: Readable, take: (line: string) => void): void {
  let begun: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      take(Buffer.concat([...begun, chunk.subarray(from, end)]).toString("utf8"));
      begun = [];
      from = end + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  });
}

export function writeLine(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify(message)}\n`);
}
