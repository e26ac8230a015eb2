import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { documentPath, linters, remoteDocumentPath } from "./linters.ts";

interface Document {
  readonly paths: Record<string, Record<string, Record<string, unknown>>>;
}

/** For each linter, an omission in the document that the linter must report. */
const plants: Readonly<Record<string, (document: Document) => void>> = {
  redocly: ({ paths }) => void delete paths["/v1/tasks"]!["get"]!["summary"],
  spectral: ({ paths }) => void delete paths["/v1/tasks"]!["get"]!["description"],
};
const rules: Readonly<Record<string, string>> = { redocly: "operation-summary", spectral: "operation-description" };

describe.each(Object.entries(linters))("%s", (name, lint) => {
  test.each([documentPath, remoteDocumentPath])("finds no error and no warning in %s", async (path) => {
    expect(await lint(path)).toEqual([]);
  });

  test("finds an omission in the document", async () => {
    await using dir = await tempDir();
    const document = JSON.parse(await readFile(documentPath, "utf8")) as Document;
    plants[name]!(document);
    const planted = join(dir.path, "planted.json");
    await writeFile(planted, JSON.stringify(document));
    const found = await lint(planted);
    expect(found.map((problem) => problem.split(":")[0])).toEqual([rules[name]]);
  });
});
