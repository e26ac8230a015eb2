import { tempDir } from "@belfry/test-kit";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { bytesPart, listName, type Part, readArchive, writeArchive } from "./archive.ts";

const pieceBytes = 64 * 1_024;

async function* partsOf(parts: Iterable<Part>): AsyncGenerator<Part> {
  yield* parts;
}

async function bytesOf(chunks: Part["content"]): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

test("an archive of many small files is read to its end, also where every piece ends between two files", async () => {
  // each takes 1,024 bytes of the archive, and together they take more than may be between two files
  const count = 17_000;
  const small = Buffer.alloc(100, "x");
  const parts = Array.from({ length: count }, (_, index) => bytesPart(`file-${index}`, small));
  await using place = await tempDir("bf-");
  const file = join(place.path, "a.tar");
  await writeFile(file, writeArchive(partsOf(parts)));
  let files = 0;
  let list = "";
  for await (const { name, content } of readArchive(createReadStream(file, { highWaterMark: pieceBytes }))) {
    const bytes = await bytesOf(content);
    files += 1;
    if (name === listName) list = bytes.toString();
  }
  expect(files).toBe(count + 1);
  const sha256 = createHash("sha256").update(small).digest("hex");
  const listed = Array.from({ length: count }, (_, index) => ({ name: `file-${index}`, size: 100, sha256 }));
  expect(JSON.parse(list)).toEqual({ files: listed });
});

test("the list of an archive without files is empty", async () => {
  const archive = await bytesOf(writeArchive(partsOf([])));
  for await (const { name, content } of readArchive(Readable.from([archive])))
    expect([name, (await bytesOf(content)).toString()]).toEqual([listName, '{"files":[]}\n']);
  expect.assertions(1);
});

test("zeros without end between two files are refused", async () => {
  const archive = await bytesOf(writeArchive(partsOf([bytesPart("a", Buffer.from("a"))])));
  const files = async function* (): AsyncGenerator<Uint8Array> {
    yield archive.subarray(0, 1_024);
    for (;;) yield Buffer.alloc(pieceBytes);
  };
  const read = async (): Promise<void> => {
    for await (const { content } of readArchive(files())) await bytesOf(content);
  };
  await expect(read()).rejects.toThrow("it contains many bytes that belong to no file");
});

// an error that nobody listens to would end the daemon: here, it would end the tests
test.each(["an error", "an early end", "more bytes than announced"])(
  "a file whose content has %s makes the archive fail, and nothing else",
  async (what) => {
    const content = async function* (): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 40; count += 1) {
        yield Buffer.alloc(pieceBytes);
        if (what === "an error" && count === 20) throw new Error("EIO");
      }
    };
    const pieces = { "an early end": 41, "more bytes than announced": 39 }[what] ?? 40;
    let isClosed = false;
    const bad: Part = {
      name: "bad",
      size: pieces * pieceBytes,
      content: content(),
      close: async () => void (isClosed = true),
    };
    await expect(bytesOf(writeArchive(partsOf([bytesPart("good", Buffer.from("x")), bad])))).rejects.toThrow(
      what === "an error" ? "EIO" : "Size mismatch",
    );
    expect(isClosed).toBe(true);
  },
);
