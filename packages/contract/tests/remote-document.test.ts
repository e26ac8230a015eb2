import { catalogue, errorsOf, errorStatus, type Operation } from "@belfry/contract";
import { buildDocument, remoteApi } from "@belfry/contract/openapi";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { describeDifference, printDocument } from "../src/openapi/difference.ts";

interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly [keyword: string]: unknown;
}

interface Described31 {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly security: readonly object[];
  readonly components: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;
}

const operations = (catalogue as readonly Operation[]).filter(({ transports }) => transports.includes("remote"));
const document = buildDocument(catalogue, remoteApi) as unknown as Described31;
const committed = readFileSync(fileURLToPath(new URL("../openapi/remote.json", import.meta.url)), "utf8");
const propertiesOf = (schema: string): readonly string[] =>
  Object.keys(document.components["schemas"]?.[schema]?.["properties"] ?? {});

describe("the remote document", () => {
  test("equals the one generated from this contract, byte for byte", () => {
    expect(describeDifference(committed, document)).toBeNull();
  });

  test("describes exactly the operations that the remote transport has, under its base", () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    const expected = operations.map(({ id, method, path }) => `${id} ${method} /api/v1${path}`);
    expect(described.toSorted()).toEqual(expected.toSorted());
  });

  test("asks for an access token, except in public operations", () => {
    expect(document.security).toEqual([{ accessToken: [] }]);
    for (const operation of operations) {
      const { security } = document.paths[`/api/v1${operation.path}`]![operation.method]!;
      expect(security, operation.id).toEqual(operation.isPublic === true ? [] : undefined);
    }
  });

  test("shows no member that no remote caller sees", () => {
    expect(propertiesOf("FilesystemWatcher")).toContain("health");
    for (const hidden of ["path", "pattern"]) expect(propertiesOf("FilesystemWatcher")).not.toContain(hidden);
    expect(printDocument(document)).not.toContain("x-remote");
  });

  test("shows no member of a body that only local callers may send, and says when the others are rejected", () => {
    for (const body of ["TaskCreate", "TaskPatch", "GroupCreate", "GroupPatch"]) {
      expect(propertiesOf(body)).toContain("name");
      for (const hidden of ["environment", "standard_input"]) expect(propertiesOf(body)).not.toContain(hidden);
    }
    expect(propertiesOf("TaskCreate")).toContain("command");
    expect(document.paths["/api/v1/tasks"]!["post"]!.description).toContain("[remote] commands = true");
  });

  test("refers to every component that it defines, and to no undefined one", () => {
    const references = new Set(printDocument(document).match(/(?<=")#\/components\/[^"]+/g));
    const present = Object.entries(document.components)
      .filter(([kind]) => kind !== "securitySchemes")
      .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`));
    expect([...references].toSorted()).toEqual(present.toSorted());
  });
});

test.each(operations.map((operation) => [operation.id, operation] as const))(
  "%s lists every code that it may answer with remotely, under the code's status",
  (_, operation) => {
    const described = document.paths[`/api/v1${operation.path}`]![operation.method]!;
    const codes = errorsOf(operation, "remote");
    expect(codes).toContain("rate_limited");
    expect(described["x-error-codes"]).toEqual(codes);
    const failures = Object.entries(described.responses).filter(([status]) => Number(status) >= 400);
    const listed = failures.map(([status, { $ref = "" }]) => [
      status,
      document.components["responses"]![$ref.split("/").at(-1)!]!["x-error-codes"],
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(Map.groupBy(codes, (code) => errorStatus[code])));
  },
);
