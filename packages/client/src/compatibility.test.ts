import type { Manifest } from "@belfry/contract";
import { expect, test } from "vitest";
import { checkProtocol } from "./compatibility.ts";
import { CompatibilityError } from "./errors.ts";

const speaking = (local: string) =>
  ({ product_version: "9.0.0", protocol_versions: { local, remote: null } }) as Manifest;

test.each(["v1", "v1.0", "v1.9", "v1.10"])("a daemon that speaks %s is understood", (local) => {
  expect(() => checkProtocol(speaking(local))).not.toThrow();
});

test("the side that is too old is named, by numbers and not by letters", () => {
  expect(() => checkProtocol(speaking("v2"))).toThrow("update @belfry/client");
  expect(() => checkProtocol(speaking("v10.1"))).toThrow("update @belfry/client");
  expect(() => checkProtocol(speaking("v0.9"))).toThrow("update the daemon");
});

test.each(["", "1", "v", "vx", "latest"])("a version of %j is no version of ours", (local) => {
  expect(() => checkProtocol(speaking(local))).toThrow(CompatibilityError);
});
