import { ConnectionError, IdentityError, TrustError } from "@belfry/client";
import { Command as Parser } from "commander";
import { expect, test } from "vitest";
import { explainError } from "./explain-error.ts";
import { hintRewriter } from "./output/hints.ts";

const rewrite = hintRewriter({ calledAs: "./belfry" }, { socket: null, dataDir: null, profile: "build" });
const access = { profile: "build", tokenFile: null };

test("a command for the daemon's machine stays as it is, and one for this machine is rewritten", async () => {
  const renew = "Renew it on the daemon's machine with `belfry remote renew`.";
  const expired = await explainError(
    new TrustError(renew, { address: "build.example.org:7443", code: "CERT_HAS_EXPIRED" }),
    { called: null, access },
  );
  expect(rewrite(expired.text)).toBe(renew);
  expect(expired.message).toBe(renew);

  const check = "On its machine, check with `belfry remote status` that the remote API is enabled.";
  const refused = new ConnectionError(check, { code: "ECONNREFUSED" });
  for (const context of [
    { called: null, access },
    { called: new Parser("enroll"), access: null },
  ]) {
    const failure = await explainError(refused, context);
    expect(rewrite(failure.text)).toBe(check);
    expect(failure.hint).toBeNull();
  }

  const local = new ConnectionError("Start it with `belfry daemon run`.", { code: "ECONNREFUSED" });
  const failure = await explainError(local, { called: new Parser("status"), access: null });
  expect(hintRewriter({}, { socket: null, dataDir: "/srv", profile: null })(failure.text)).toBe(
    "Start it with `belfry --data-dir /srv daemon run`.",
  );

  const { hint } = await explainError(new IdentityError("another one", { expected: "a", actual: "b" }), {
    called: null,
    access,
  });
  expect(rewrite(hint!)).toContain("run belfry pair on its machine");
});
