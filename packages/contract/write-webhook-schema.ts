import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { fixtures } from "@belfry/webhook-schema/testing";
import { buildJsonSchema } from "./src/webhook/json-schema.ts";

/** Writes the published schema and the fixtures; with `--check` it only reports whether they match the sources. */
const documents: Readonly<Record<string, object>> = {
  "schema/service.webhook.v1.json": buildJsonSchema(),
  ...Object.fromEntries(Object.entries(fixtures).map(([name, payload]) => [`fixtures/${kebab(name)}.json`, payload])),
};

for (const [path, document] of Object.entries(documents)) {
  const place = fileURLToPath(new URL(`../webhook-schema/${path}`, import.meta.url));
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (!process.argv.includes("--check")) {
    await writeFile(place, text);
  } else if ((await readFile(place, "utf8").catch(() => "")) !== text) {
    console.error(`packages/webhook-schema/${path} does not match the sources. Update it with: pnpm webhook-schema`);
    process.exitCode = 1;
  }
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
