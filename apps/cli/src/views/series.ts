import type { Agenda } from "@belfry/client";
import { formatLocal } from "../output/time.ts";

const singular: Readonly<Record<string, string>> = { "1s": "second", "1m": "minute", "1h": "hour", "1d": "day" };

/** `every minute, 1,440 times`; empty for a single time. An older daemon does not collapse entries. */
export function seriesText({ count = 1, every = null, last_at: last }: Partial<Agenda["entries"][number]>): string {
  if (count === 1 || last === undefined) return "";
  const times = `${count.toLocaleString("en-US")} times`;
  return every === null ? `${times} until ${formatLocal(last)}` : `every ${singular[every] ?? every}, ${times}`;
}
