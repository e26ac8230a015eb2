import { expect, test } from "vitest";
import { DeviceFiles } from "./device-files.ts";
import { KnownFiles, wordsPerFile } from "./known-files.ts";

const words = (...names: readonly number[]): Uint32Array => Uint32Array.from(names.flatMap((name) => [name, 0, 1, 1]));
const known = (...names: readonly number[]): KnownFiles => KnownFiles.of(words(...names));

function describe(files: DeviceFiles): readonly string[] {
  return files.states.map(({ device, known: { count, words: all } }) => {
    const names = Array.from({ length: count }, (_, index) => all[index * wordsPerFile]);
    return `${device}: ${names.join(" ")}`;
  });
}

test("the first device takes over what was known before it", () => {
  const files = new DeviceFiles(null, known(1));
  expect(files.arrive(7n, known(2))).toBeNull();
  expect(describe(files)).toEqual(["7: 1"]);
});

test("a device is recognized by its number, or else by the most files that it has", () => {
  const files = new DeviceFiles(1n, known(1, 2, 3));
  expect(files.arrive(2n, known(8, 9))).toBeNull();
  files.set(words(8, 9), 2n);
  expect(describe(files)).toEqual(["1: 1 2 3", "2: 8 9"]);
  expect(files.arrive(1n, known())).toBeNull();
  expect(describe(files)).toEqual(["2: 8 9", "1: 1 2 3"]);
  expect(files.arrive(5n, known(1, 8, 9))).toBe(2n);
  expect(describe(files)).toEqual(["1: 1 2 3", "5: 8 9"]);
});

test("files are known on whichever device, added to theirs, and forgotten on all", () => {
  const files = new DeviceFiles(1n, known(1));
  files.use(2n);
  files.set(words(4), 1n);
  files.set(words(5), 2n);
  files.set(words(6), null);
  files.set(words(7), 9n);
  expect(describe(files)).toEqual(["9: 7", "1: 1 4", "2: 5 6"]);
  expect(files.has(words(4), 0)).toBe(true);
  expect(files.has(words(8), 0)).toBe(false);
  expect(files.count).toBe(5);
  files.forget(words(1, 6));
  expect(describe(files)).toEqual(["9: 7", "1: 4", "2: 5"]);
});

test("a number that changed to one that is there brings both together", () => {
  const files = new DeviceFiles(1n, known(1));
  files.use(2n);
  files.renumber(1n, 2n);
  expect(describe(files)).toEqual(["2: 1"]);
  files.renumber(2n, 2n);
  files.renumber(8n, 2n);
  expect(describe(files)).toEqual(["2: 1"]);
});

test("a device that is dropped leaves the others, and the last one leaves nothing", () => {
  const files = new DeviceFiles(1n, known(1));
  files.use(2n);
  files.drop(2n);
  expect(describe(files)).toEqual(["1: 1"]);
  expect(files.isEmpty).toBe(false);
  files.drop(1n);
  expect(files.isEmpty).toBe(true);
  expect(files.device).toBeNull();
});

test("of many devices the last ones are remembered", () => {
  const files = new DeviceFiles(1n, known(1));
  for (let device = 2n; device < 100n; device++) files.use(device);
  expect(files.states.length).toBeLessThan(10);
  expect(files.device).toBe(99n);
});
