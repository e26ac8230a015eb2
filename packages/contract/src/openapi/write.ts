import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { catalogue } from "../catalogue.ts";
import { describeDifference, printDocument } from "./difference.ts";
import { buildDocument } from "./document.ts";
import { localApi } from "./local-api.ts";

/** Writes the committed document; with `--check` only compares it. */
const path = fileURLToPath(new URL("../../openapi/local.json", import.meta.url));
const document = buildDocument(catalogue, localApi);

if (process.argv.includes("--check")) {
  const committed = await readFile(path, "utf8").catch(() => "");
  const difference = describeDifference(committed, document);
  if (difference !== null) {
    console.error(`packages/contract/openapi/local.json is out of date.\n${difference}`);
    console.error("Update it with: pnpm openapi");
    process.exitCode = 1;
  }
} else {
  await writeFile(path, printDocument(document));
}
