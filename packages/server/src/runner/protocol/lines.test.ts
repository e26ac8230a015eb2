import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readLines } from "./lines.ts";

test.each([1, 2, 3, 7, 1_000])(
  "lines are joined from parts of %i bytes, even if a part ends inside a character",
  async (partBytes) => {
    const lines = ["one", "", "zwölf ☃ 𝄞", "x".repeat(2_000)];
    const bytes = Buffer.from(`${lines.join("\n")}\nunfinished`);
    const read: string[] = [];
    const stream = new PassThrough();
    readLines(stream, (line) => read.push(line));
    for (let at = 0; at < bytes.length; at += partBytes) stream.write(bytes.subarray(at, at + partBytes));
    await once(stream.end(), "end");
    expect(read).toEqual(lines);
  },
);
