import { errorCodes, errorStatus } from "@belfry/contract";
import { expect, test } from "vitest";
import { toApiError } from "./api-error.ts";
import { AbortError, CompatibilityError, ConnectionError, TimeoutError } from "./errors.ts";
import { isTransient } from "./retry.ts";

const rejected = (code: string, status: number) =>
  toApiError({ code, status, field: null, message: "no", requestId: null });
const broken = (code?: string) => new ConnectionError("no", { code });

test.each([
  ["a daemon that is not running", broken("ENOENT"), true],
  ["a daemon that does not listen", broken("ECONNREFUSED"), true],
  ["a connection that broke", broken("ECONNRESET"), true],
  ["a connection that broke without a code", broken(), true],
  ["a socket of another user", broken("EACCES"), false],
  ["a path that is not a socket", broken("ENOTSOCK"), false],
  ["a path that cannot be a socket", broken("EINVAL"), false],
  ["a daemon that did not answer in time", new TimeoutError("no"), true],
  ["an abort by the caller", new AbortError(AbortSignal.abort()), false],
  ["another protocol", new CompatibilityError("no"), false],
  ["a gateway between client and daemon", rejected("http_502", 502), true],
  ["an unknown code with status 429", rejected("rate_limited", 429), true],
  ["an unknown code with status 401", rejected("credential_revoked", 401), false],
  ["a programming error", new TypeError("no"), false],
])("whether %s is a temporary failure: %o", (_, error, isRetried) => {
  expect(isTransient(error)).toBe(isRetried);
});

test("of the contract's codes, only temporary failures of the daemon are retried", () => {
  const retried = errorCodes.filter((code) => isTransient(rejected(code, errorStatus[code])));
  expect(retried).toEqual([
    "request_timeout",
    "rate_limited",
    "trigger_dispatch_unavailable",
    "internal",
    "audit_unavailable",
  ]);
});
