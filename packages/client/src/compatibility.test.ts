import type { Manifest } from "@belfry/contract";
import { expect, test } from "vitest";
import { checkProtocol } from "./compatibility.ts";
import { CompatibilityError } from "./errors.ts";

const withProtocol = (local: string) =>
  ({ product_version: "9.0.0", protocol_versions: { local, remote: null } }) as Manifest;

test.each(["v1", "v1.0", "v1.9", "v1.10"])("protocol %s is compatible", (local) => {
  expect(() => checkProtocol(withProtocol(local))).not.toThrow();
});

test("the error names the side to update, and compares versions as numbers", () => {
  expect(() => checkProtocol(withProtocol("v2"))).toThrow("Update @belfry/client");
  expect(() => checkProtocol(withProtocol("v10.1"))).toThrow("Update @belfry/client");
  expect(() => checkProtocol(withProtocol("v0.9"))).toThrow("Update the daemon");
});

test.each(["", "1", "v", "vx", "latest"])("version %j is not a Belfry protocol version", (local) => {
  expect(() => checkProtocol(withProtocol(local))).toThrow(CompatibilityError);
});
