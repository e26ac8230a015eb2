import { usage } from "../failure.ts";

const units: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1_000,
  mb: 1_000 ** 2,
  gb: 1_000 ** 3,
  kib: 1_024,
  k: 1_024,
  mib: 1_024 ** 2,
  m: 1_024 ** 2,
  gib: 1_024 ** 3,
  g: 1_024 ** 3,
};

/** Parses `512KiB`, `10MB` or `1.5 GiB` to bytes. */
export function readSize(text: string, option: string): number {
  const [, amount = "", unit = ""] = /^(\d{1,15}(?:\.\d{1,9})?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = units[unit.toLowerCase()];
  const bytes = amount === "" || factor === undefined ? Number.NaN : Number(amount) * factor;
  if (!Number.isNaN(bytes) && (factor !== 1 || Number.isInteger(bytes))) return Math.round(bytes);
  throw usage(`invalid size ${JSON.stringify(text)} for ${option}. Use a number of bytes, for example 512KiB or 10MB`);
}
