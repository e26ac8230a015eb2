import { catalogue, type Operation } from "@belfry/contract";
import { describe, expect, test } from "vitest";
import { formatJsonLine } from "../../src/kernel/log/log.ts";
import { auditRowsOf } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { sampleOf, seen } from "../support/call.ts";
import type { Json } from "../support/harness.ts";
import { secretPaths } from "../support/secret-paths.ts";

/* A value of a secret member is repeated by no answer, log line or audit row, however wrong the value is. */
const marker = "planted4Xv9";
const cases = catalogue
  .map(seen)
  .filter(({ body }) => body !== undefined)
  .flatMap((operation) =>
    [...new Set(secretPaths(operation.body!))].map((path) => ({ id: operation.id, operation, path })),
  );

/** Wrong and odd values, as JSON. */
const values: readonly string[] = [
  `"${marker}"`,
  `"${marker}\\u0000"`,
  `"${marker}\\ud800"`,
  `"${marker}${" ".repeat(600_000)}"`,
  `["${marker}"]`,
  `{"A":"${marker}\\u0000"}`,
  `{"A":["${marker}"]}`,
  `{"A":{"${marker}":"${marker}"}}`,
  `{"A":"${marker}\\ud800"}`,
  `{"A":"${marker}${" ".repeat(200_000)}"}`,
  `"https://${marker}:${marker}@127.0.0.1:0/${marker}"`,
  `"whsec_${marker}"`,
];

/** The body with another value at a path such as `tasks[].environment`, as text. */
function withValue(body: unknown, path: string, value: string): string {
  const copy = structuredClone(body) as Json;
  const names = path
    .replaceAll("[]", ".0")
    .split(".")
    .filter((name) => name !== "");
  const parent = names.slice(0, -1).reduce((at, name) => at[name], copy);
  parent[names.at(-1)!] = "HERE";
  return JSON.stringify(copy).replace('"HERE"', () => value);
}

describe("no wrong value of a secret is repeated", () => {
  test.each(cases)("$id: $path", async ({ operation, path }: { operation: Operation; path: string }) => {
    await using app = await openTestApplication();
    for (const value of values) {
      const sample = await sampleOf(app, operation);
      const text = withValue(sample.body, path, value);
      const from = app.logged.length;
      const answer = await app.call(operation.method.toUpperCase(), sample.path, text, {
        "content-type": "application/json",
      });
      const traces = [
        answer.text,
        answer.headers,
        auditRowsOf(app, answer),
        app.logged.slice(from).map(formatJsonLine),
      ];
      expect(JSON.stringify(traces), value.slice(0, 60)).not.toContain(marker);
    }
  });
});
