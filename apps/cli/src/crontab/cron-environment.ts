import { cronEnvironment } from "@belfry/crontab";
import { readFile } from "node:fs/promises";

/** Debian's cron reads these files in this order for each job; the later one wins. */
const sessionFiles = ["/etc/environment", "/etc/default/locale"];

/** Reads the environment of a job under Debian's cron. A file that cannot be read is left out. */
export async function readCronEnvironment(files = sessionFiles): Promise<Readonly<Record<string, string>>> {
  const texts = await Promise.all(files.map((path) => readFile(path, "utf8").catch(() => "")));
  return cronEnvironment(texts.join("\n"));
}
