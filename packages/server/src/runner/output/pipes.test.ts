import { tempDir, until } from "@belfry/test-kit";
import { closeSync, fstatSync, readSync, writeSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Pipe, Pipes } from "./pipes.ts";

test("each call returns a new, unlinked pipe, even beyond one batch", async () => {
  await using dir = await tempDir();
  const pipes = new Pipes(dir.path);
  const taken: Pipe[] = await Promise.all(Array.from({ length: 300 }, () => pipes.takeOutput()));
  expect(taken.every(({ own }) => fstatSync(own).isFIFO())).toBe(true);
  expect(new Set(taken.map(({ own }) => fstatSync(own).ino)).size).toBe(300);
  expect(taken.every(({ own, task }) => fstatSync(own).ino === fstatSync(task).ino)).toBe(true);
  // the spare pipes: two batches without the used pipes
  await until("names only of spare ones", async () => (await readdir(dir.path)).length === 512 - 300);
  for (const fd of taken.flatMap(({ own, task }) => [own, task])) closeSync(fd);
});

test("the runner's ends never block, and bytes flow in the right direction", async () => {
  await using dir = await tempDir();
  const pipes = new Pipes(dir.path);
  const [output, input] = [await pipes.takeOutput(), await pipes.takeInput()];
  const buffer = Buffer.alloc(10);
  expect(() => readSync(output.own, buffer)).toThrow("EAGAIN");
  writeSync(output.task, "out");
  expect(buffer.toString("utf8", 0, readSync(output.own, buffer))).toBe("out");
  expect(() => {
    for (;;) writeSync(input.own, Buffer.alloc(4_096));
  }).toThrow("EAGAIN");
  expect(readSync(input.task, buffer)).toBe(10);
  for (const fd of [output.own, output.task, input.own, input.task, input.handle]) closeSync(fd);
});

test("while no pipe can be created every caller gets the error, and later calls succeed again", async () => {
  await using dir = await tempDir();
  const folder = `${dir.path}/later`;
  const pipes = new Pipes(folder);
  await expect(pipes.takeOutput()).rejects.toThrow("No such file or directory");
  await expect(Promise.all([pipes.takeOutput(), pipes.takeInput()])).rejects.toThrow("No such file or directory");
  await mkdir(folder);
  const { own, task } = await pipes.takeOutput();
  closeSync(own);
  closeSync(task);
});
