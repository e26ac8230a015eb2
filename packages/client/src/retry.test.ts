import { errorCodes, errorStatus } from "@belfry/contract";
import { expect, test } from "vitest";
import { toApiError } from "./api-error.ts";
import { AbortError, CompatibilityError, ConnectionError, TimeoutError } from "./errors.ts";
import { isTransient } from "./retry.ts";

const refused = (code: string, status: number) =>
  toApiError({ code, status, field: null, message: "no", requestId: null });
const broken = (code?: string) => new ConnectionError("no", { code });

test.each([
  ["a daemon that is not running", broken("ENOENT"), true],
  ["a daemon that does not listen", broken("ECONNREFUSED"), true],
  ["a connection that broke", broken("ECONNRESET"), true],
  ["a connection that broke for no known reason", broken(), true],
  ["a socket that is not ours", broken("EACCES"), false],
  ["a path that is no socket", broken("ENOTSOCK"), false],
  ["a path that cannot be one", broken("EINVAL"), false],
  ["a daemon that did not answer in time", new TimeoutError("no"), true],
  ["our own abort", new AbortError(AbortSignal.abort()), false],
  ["another protocol", new CompatibilityError("no"), false],
  ["a gateway in between", refused("http_502", 502), true],
  ["a code of a newer daemon that says wait", refused("rate_limited", 429), true],
  ["a code of a newer daemon that refuses", refused("credential_revoked", 401), false],
  ["a programming error", new TypeError("no"), false],
])("%s: tried again is %o", (_, error, isTriedAgain) => {
  expect(isTransient(error)).toBe(isTriedAgain);
});

test("of the contract's codes only the daemon's own troubles pass", () => {
  const passing = errorCodes.filter((code) => isTransient(refused(code, errorStatus[code])));
  expect(passing).toEqual(["request_timeout", "trigger_dispatch_unavailable", "internal", "audit_unavailable"]);
});
