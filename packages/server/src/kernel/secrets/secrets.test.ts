import { tempDir } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSealing, loadSealingKey } from "./secrets.ts";

const sealing = createSealing(Buffer.alloc(32, 1));

test("a sealed value opens to exactly the same value", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (plain, context) => {
      const kept = plain.toWellFormed();
      expect(sealing.open(sealing.seal(kept, context), context)).toBe(kept);
    }),
  );
});

test("a seal opens only in its own context and with its own key", () => {
  const sealed = sealing.seal("secret", "task:tsk_1:environment");
  expect(() => sealing.open(sealed, "task:tsk_2:environment")).toThrow();
  expect(() => sealing.open(sealed, "task:tsk_1:standard_input")).toThrow();
  expect(() => createSealing(Buffer.alloc(32, 2)).open(sealed, "task:tsk_1:environment")).toThrow();
});

test("a modified seal does not open", () => {
  const sealed = sealing.seal("secret", "here");
  for (let at = 1; at < sealed.length; at++) {
    const touched = Buffer.from(sealed);
    touched[at]! ^= 1;
    expect(() => sealing.open(touched, "here"), `byte ${at}`).toThrow();
  }
  for (const length of [0, 1, 12, 28, sealed.length - 1])
    expect(() => sealing.open(sealed.subarray(0, length), "here")).toThrow();
});

test("one value sealed twice gives two different seals, and neither contains it", () => {
  const [one, two] = [sealing.seal("the same words", "here"), sealing.seal("the same words", "here")];
  expect(one.equals(two)).toBe(false);
  expect(one.includes("same")).toBe(false);
});

test("a fingerprint distinguishes two keys without revealing them", () => {
  const key = Buffer.alloc(32, 1);
  expect(createSealing(key).fingerprint).toBe(sealing.fingerprint);
  expect(createSealing(Buffer.alloc(32, 2)).fingerprint).not.toBe(sealing.fingerprint);
  expect(sealing.fingerprint).not.toContain(key.toString("hex").slice(0, 8));
});

test("a key is created once, for its owner alone, and read from then on", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "sealing.key");
  const made = loadSealingKey(path, { mayCreate: true });
  expect(made).toHaveLength(32);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(dir.path)).toEqual(["sealing.key"]);
  expect(loadSealingKey(path, { mayCreate: false }).equals(made)).toBe(true);
  expect(loadSealingKey(path, { mayCreate: true }).equals(made)).toBe(true);
  expect((await readFile(path)).equals(made)).toBe(true);
});

test("a missing or damaged key is an error, and is never replaced", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "sealing.key");
  expect(() => loadSealingKey(path, { mayCreate: false })).toThrow(
    `the sealing key ${path} of this database is missing: restore it from a backup, or move ${dir.path} away to start with an empty database`,
  );
  expect(await readdir(dir.path)).toEqual([]);
  await writeFile(path, Buffer.alloc(31));
  expect(() => loadSealingKey(path, { mayCreate: true })).toThrow(
    `the sealing key ${path} is damaged (31 bytes instead of 32): restore it from a backup`,
  );
});
