import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describeAllCommands } from "./command-reference.ts";

/** Writes the reference of every command from its help; with `--check` it only reports whether the file is up to date. */
const place = fileURLToPath(new URL("../../docs/commands.md", import.meta.url));
const text = await describeAllCommands();
if (!process.argv.includes("--check")) {
  await writeFile(place, text);
} else if ((await readFile(place, "utf8").catch(() => "")) !== text) {
  console.error("docs/commands.md does not match the help. Update it with: pnpm command-reference");
  process.exitCode = 1;
}
