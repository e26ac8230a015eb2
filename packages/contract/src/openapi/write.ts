import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { catalogue } from "../catalogue.ts";
import { describeDifference, printDocument } from "./difference.ts";
import { buildDocument } from "./document.ts";
import { localApi } from "./local-api.ts";
import { remoteApi } from "./remote-api.ts";

/** Writes the committed documents; with `--check` only compares them. */
for (const api of [localApi, remoteApi]) {
  const name = `openapi/${api.transport}.json`;
  const path = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const document = buildDocument(catalogue, api);
  if (!process.argv.includes("--check")) {
    await writeFile(path, printDocument(document));
    continue;
  }
  const difference = describeDifference(await readFile(path, "utf8").catch(() => ""), document);
  if (difference === null) continue;
  console.error(`packages/contract/${name} is out of date.\n${difference}`);
  console.error("Update it with: pnpm openapi");
  process.exitCode = 1;
}
