import type { OutputItem } from "@belfry/client";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { AnyClient } from "../any-client.ts";
import type { Host } from "../host.ts";
import { Output } from "../output/output.ts";
import { copyOutput } from "./copy-output.ts";

test.each([false, true])("output is read no faster than it is taken, as JSON: %s", async (json) => {
  const stdout = new PassThrough({ highWaterMark: 64 * 1_024 });
  const all = 200;
  let pulled = 0;
  const client = {
    runs: {
      output: async function* (): AsyncGenerator<OutputItem> {
        for (; pulled < all; pulled += 1)
          yield {
            kind: "output",
            stream: "stdout",
            offset: pulled,
            bytes: Buffer.alloc(16 * 1_024, "x"),
          };
      },
    },
    // safe because no other operation is called
  } as unknown as AnyClient;
  const host = { stdout, stderr: new PassThrough(), environment: {} } as unknown as Host;
  const copying = copyOutput(client, "run_1", { out: new Output(host, json), follow: true, stream: "both" });
  await new Promise((resolve) => setImmediate(resolve));
  const ahead = pulled;
  expect(ahead).toBeGreaterThan(0);
  // a reader that pauses stops the daemon's output
  await new Promise((resolve) => setImmediate(resolve));
  expect(pulled).toBe(ahead);
  expect(ahead).toBeLessThan(20);
  const read = text(stdout);
  await copying;
  stdout.end();
  expect((await read).length).toBeGreaterThanOrEqual(all * 16 * 1_024);
  expect(stdout.listenerCount("drain")).toBeLessThan(3);
});
