import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createPhrase, isPhraseOf } from "./phrase.ts";
import { words } from "./words.ts";

test("the words are the long list of the EFF, unchanged", () => {
  const numbers = Array.from({ length: 6 ** 5 }, (_, index) =>
    index
      .toString(6)
      .padStart(5, "0")
      .replaceAll(/\d/g, (digit) => String(Number(digit) + 1)),
  );
  const file = words.map((word, index) => `${numbers[index]}\t${word}\n`).join("");
  expect(createHash("sha256").update(file).digest("hex")).toBe(
    "addd35536511597a02fa0a9ff1e5284677b8883b83e986e43f15a3db996b903e",
  );
});

test("a phrase has six random words, 77 bits, and only a salted hash of it is stored", () => {
  const phrases = Array.from({ length: 200 }, () => createPhrase());
  const known = new Set(words.map((word) => word.replace("-", "")));
  for (const { phrase, stored } of phrases) {
    expect(phrase.split("-").filter((word) => known.has(word))).toHaveLength(6);
    expect([stored.salt.length, stored.phraseHash.length]).toEqual([16, 32]);
  }
  expect(Math.log2(words.length) * 6).toBeGreaterThan(77);
  expect(new Set(phrases.flatMap(({ phrase }) => phrase.split("-"))).size).toBeGreaterThan(1_000);
});

test("case, spaces and dashes do not matter, and everything else does", () => {
  const { phrase, stored } = createPhrase();
  const typed = [
    phrase,
    phrase.toUpperCase(),
    phrase.replaceAll("-", " "),
    ` ${phrase.replaceAll("-", "\u2013")}\n`,
    phrase.replaceAll("-", "\t - "),
    phrase.replaceAll("-", ""),
  ];
  for (const form of typed) expect(isPhraseOf(form, stored), form).toBe(true);
  const other = [
    `${phrase}s`,
    phrase.slice(1),
    phrase.split("-").slice(1).join("-"),
    phrase.split("-").reverse().join("-"),
  ];
  for (const form of [...other, "", "-", `${phrase}.`, createPhrase().phrase])
    expect(isPhraseOf(form, stored), form).toBe(false);
  expect(isPhraseOf(phrase, undefined)).toBe(false);
});
