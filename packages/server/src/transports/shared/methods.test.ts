import { localOnly, type Operation } from "@belfry/contract";
import { expect, test } from "vitest";
import { matchMethods, overshadowedMethods } from "./methods.ts";

const operation = (method: Operation["method"], path: `/${string}`): Operation => ({
  id: "a.b",
  method,
  path,
  summary: "",
  kind: "read",
  capability: "observe",
  transports: localOnly,
  audited: false,
  resource: "a",
  response: { kind: "empty", status: 204 },
  errors: [],
});

const operations = [
  operation("post", "/things"),
  operation("get", "/things"),
  operation("post", "/things/preview"),
  operation("get", "/things/{id}"),
  operation("delete", "/things/{id}"),
  operation("get", "/things/agenda"),
  operation("get", "/a.json"),
];

test("a path has its own methods, HEAD with GET, and not those of a pattern that it also matches", () => {
  const methodsOf = matchMethods(operations, "/v1");
  expect(methodsOf("/v1/things")).toBe("GET, HEAD, POST");
  expect(methodsOf("/v1/things/preview")).toBe("POST");
  expect(methodsOf("/v1/things/agenda")).toBe("GET, HEAD");
  expect(methodsOf("/v1/things/1")).toBe("DELETE, GET, HEAD");
  for (const path of ["/v1/things/", "/v1/things/1/more", "/things", "/v1/aXjson", "/v1/things\n", ""])
    expect(methodsOf(path), path).toBeNull();
});

test("the methods of a pattern that a fixed path lacks are found", () => {
  expect(overshadowedMethods(operations, "/v1")).toEqual([
    { path: "/v1/things/preview", methods: ["GET", "DELETE"] },
    { path: "/v1/things/agenda", methods: ["DELETE"] },
  ]);
});
