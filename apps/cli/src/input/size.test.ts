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
])("%j is %d bytes", (text, bytes) => {
  expect(readSize(text, "--max-output")).toBe(bytes);
});

test.each(["", "MB", "1.5", "-1MB", "10 TB", "10MBs"])("%j is no size", (text) => {
  expect(() => readSize(text, "--max-output")).toThrow(
    "for --max-output. Use a number of bytes, for example 512KiB or 10MB",
  );
});
