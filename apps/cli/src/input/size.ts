import { usage } from "../failure.ts";

const units: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1_000,
  mb: 1_000 ** 2,
  gb: 1_000 ** 3,
  tb: 1_000 ** 4,
  kib: 1_024,
  k: 1_024,
  mib: 1_024 ** 2,
  m: 1_024 ** 2,
  gib: 1_024 ** 3,
  g: 1_024 ** 3,
  tib: 1_024 ** 4,
  t: 1_024 ** 4,
};

interface SizeLimits {
  readonly option: string;
  readonly min: number;
  readonly max: number;
}

/** Parses `512KiB`, `10MB` or `1.5 GiB` to bytes. */
export function readSize(text: string, { option, min, max }: SizeLimits): number {
  const [, amount = "", unit = ""] = /^(\d{1,15}(?:\.\d{1,9})?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = units[unit.toLowerCase()];
  const bytes = amount === "" || factor === undefined ? Number.NaN : Number(amount) * factor;
  const range = `from ${formatSize(min)} to ${formatSize(max)}`;
  if (Number.isNaN(bytes) || (factor === 1 && !Number.isInteger(bytes)))
    throw usage(
      `invalid size ${JSON.stringify(text)} for ${option}. Use a number of bytes ${range}, for example 512KiB or 10MB`,
    );
  if (bytes < min || bytes > max)
    throw usage(
      `size ${JSON.stringify(text)} for ${option} is too ${bytes < min ? "small" : "large"}. Use a size ${range}`,
    );
  return Math.round(bytes);
}

const binaryUnits = [
  ["TiB", 1_024 ** 4],
  ["GiB", 1_024 ** 3],
  ["MiB", 1_024 ** 2],
  ["KiB", 1_024],
] as const;

/** A whole number in the largest binary unit. */
function formatSize(bytes: number): string {
  const [unit, factor] = binaryUnits.find(([, size]) => bytes % size === 0) ?? ["B", 1];
  return `${bytes / factor}${unit}`;
}
