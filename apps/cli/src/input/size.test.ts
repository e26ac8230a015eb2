import { expect, test } from "vitest";
import { readSize } from "./size.ts";

test.each([
  ["512", 512],
  ["512B", 512],
  ["10MB", 10_000_000],
  ["10 mb", 10_000_000],
  ["10MiB", 10_485_760],
  ["10M", 10_485_760],
  ["1.5GiB", 1_610_612_736],
  ["2 KB", 2_000],
  ["1TB", 1_000_000_000_000],
  ["1TiB", 1_099_511_627_776],
])("%j is %d bytes", (text, bytes) => {
  expect(readSize(text, { option: "--keep-bytes", min: 1, max: 1_024 ** 4 })).toBe(bytes);
});

const output = { option: "--max-output", min: 1_024, max: 1_024 ** 3 };

test.each(["", "MB", "1.5", "-1MB", "10 PB", "10MBs"])("%j is no size", (text) => {
  expect(() => readSize(text, output)).toThrow(
    `invalid size ${JSON.stringify(text)} for --max-output. Use a number of bytes from 1KiB to 1GiB, for example 512KiB or 10MB`,
  );
});

test.each([
  ["1.5GB", "large"],
  ["1023", "small"],
])("%j is outside the limits", (text, how) => {
  expect(() => readSize(text, output)).toThrow(
    `size ${JSON.stringify(text)} for --max-output is too ${how}. Use a size from 1KiB to 1GiB`,
  );
});
