import { catalogue, type ErrorCode } from "@belfry/contract";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const src = new URL("../src/", import.meta.url).pathname;
const sources = globSync("**/*.ts", { cwd: src, exclude: ["**/*.test.ts"] });

function classOf(code: ErrorCode): string | undefined {
  if (code.startsWith("trigger_")) return "TriggerFireError";
  return { not_found: "NotFoundError", conflict: "ConflictError" }[code as string];
}

describe("the docstring of every method", () => {
  test.each(catalogue.map((operation) => ({ ...operation })))(
    "$id names its address and its own errors",
    (operation) => {
      const [room = "", verb = ""] = operation.id.split(".");
      const doc = methodDocs(`rooms/${room.replaceAll("_", "-")}.ts`).get(camel(verb));
      expect(doc).toContain(`\`${operation.method.toUpperCase()} /v1${operation.path}\``);
      for (const code of operation.errors) expect(doc).toContain(`@throws {@link ${classOf(code)}}`);
      if ("conditional" in operation) expect(doc).toContain("@throws {@link PreconditionFailedError}");
    },
  );
});

test("every class, function and interface that a file exports has a docstring, each way to call it included", () => {
  const bare = sources.flatMap((file) => {
    const text = readFileSync(join(src, file), "utf8");
    const found = text.matchAll(/(\*\/\n)?export (?:async )?(?:class|function\*?|interface) (\w+)/g);
    return [...found].filter(([, doc]) => doc === undefined).map(([, , name]) => `${file}: ${name}`);
  });
  // what its overloads are implemented by: nobody sees it from outside
  expect(bare).toEqual(["api-error.ts: isApiError"]);
});

function methodDocs(file: string): Map<string, string> {
  const text = readFileSync(join(src, file), "utf8");
  const methods = text.matchAll(/ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(?:async )?\*?(\w+)\(/g);
  return new Map([...methods].map(([, doc = "", name = ""]) => [name, doc.replaceAll(/\s+\* ?/g, " ")]));
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
