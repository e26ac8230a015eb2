import type { Operation } from "@belfry/contract";
import { expect, test } from "vitest";
import { matchMethods } from "./methods.ts";

const operation = (method: Operation["method"], path: `/${string}`): Operation => ({
  id: "a.b",
  method,
  path,
  summary: "",
  kind: "read",
  capability: "observe",
  remote: false,
  audited: false,
  resource: "a",
  response: { kind: "empty", status: 204 },
  errors: [],
});

test("a path names the methods of every pattern it fits, and of no other", () => {
  const methodsOf = matchMethods(
    [
      operation("post", "/things"),
      operation("get", "/things"),
      operation("post", "/things/preview"),
      operation("get", "/things/{id}"),
      operation("delete", "/things/{id}"),
      operation("get", "/a.json"),
    ],
    "/v1",
  );
  expect(methodsOf("/v1/things")).toBe("GET, POST");
  expect(methodsOf("/v1/things/preview")).toBe("DELETE, GET, POST");
  expect(methodsOf("/v1/things/1")).toBe("DELETE, GET");
  for (const path of ["/v1/things/", "/v1/things/1/more", "/things", "/v1/aXjson", "/v1/things\n", ""])
    expect(methodsOf(path), path).toBeNull();
});
