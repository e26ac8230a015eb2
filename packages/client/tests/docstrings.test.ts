import { catalogue, type ErrorCode } from "@belfry/contract";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const src = new URL("../src/", import.meta.url).pathname;
const sources = globSync("**/*.ts", { cwd: src, exclude: ["**/*.test.ts"] });

function classOf(code: ErrorCode): string | undefined {
  if (code.startsWith("trigger_")) return "TriggerFireError";
  return { not_found: "NotFoundError", conflict: "ConflictError", unauthorized: "UnauthorizedError" }[code as string];
}

describe("the docstring of every method", () => {
  test.each(catalogue.map((operation) => ({ ...operation })))("$id has its address and its errors", (operation) => {
    const [resource = "", verb = ""] = operation.id.split(".");
    const doc = methodDocs(`api/${resource.replaceAll("_", "-")}.ts`).get(camel(verb));
    const base = operation.transports.some((transport) => transport === "local") ? "/v1" : "/api/v1";
    expect(doc).toContain(`\`${operation.method.toUpperCase()} ${base}${operation.path}\``);
    for (const code of operation.errors) expect(doc).toContain(`@throws {@link ${classOf(code)}}`);
    if ("conditional" in operation) expect(doc).toContain("@throws {@link PreconditionFailedError}");
  });
});

test("every exported class, function and interface has a docstring, overloads included", () => {
  const bare = sources.flatMap((file) => {
    const text = readFileSync(join(src, file), "utf8");
    const found = text.matchAll(/(\*\/\n)?export (?:async )?(?:class|function\*?|interface) (\w+)/g);
    return [...found].filter(([, doc]) => doc === undefined).map(([, , name]) => `${file}: ${name}`);
  });
  // the implementation of overloads, which callers do not see
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
