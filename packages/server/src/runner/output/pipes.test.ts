import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { expect, test } from "vitest";
import { makeInputPipe, makeOutputPipe, type Pipe } from "./pipes.ts";

function close({ own, task }: Pipe): void {
  closeSync(own);
  closeSync(task);
}

test("each call returns a new pipe without a name, whose ends no program inherits", () => {
  const pipes = Array.from({ length: 100 }, makeOutputPipe);
  expect(pipes.every(({ own }) => fstatSync(own).isFIFO())).toBe(true);
  expect(new Set(pipes.map(({ own }) => fstatSync(own).ino)).size).toBe(100);
  expect(pipes.every(({ own, task }) => fstatSync(own).ino === fstatSync(task).ino)).toBe(true);
  pipes.forEach(close);
});

test("bytes flow in the right direction", () => {
  const [output, input] = [makeOutputPipe(), makeInputPipe()];
  const buffer = Buffer.alloc(10);
  writeSync(output.task, "out");
  expect(buffer.toString("utf8", 0, readSync(output.own, buffer))).toBe("out");
  writeSync(input.own, "in");
  expect(buffer.toString("utf8", 0, readSync(input.task, buffer))).toBe("in");
  [output, input].forEach(close);
});

test("while no file can be opened, a pipe is refused by the system's error, and later succeeds again", () => {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch (error) {
    expect(error).toMatchObject({ code: "EMFILE" });
  }
  let refusal: unknown;
  try {
    close(makeOutputPipe());
  } catch (error) {
    refusal = error;
  } finally {
    taken.forEach((fd) => closeSync(fd));
  }
  expect(refusal).toMatchObject({ code: "EMFILE" });
  close(makeOutputPipe());
});
