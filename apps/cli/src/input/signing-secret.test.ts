import { UncertainOutcomeError } from "@belfry/client";
import { expect, test } from "vitest";
import type { Host } from "../host.ts";
import { Output } from "../output/output.ts";
import { sendSecret } from "./signing-secret.ts";

function newOutput() {
  let written = "";
  const host = {
    stdout: { write: () => {} },
    stderr: { write: (data: string) => void (written += data) },
    environment: {},
  };
  // safe because an output uses nothing else of the host
  return { out: new Output(host as unknown as Host, true), written: () => written };
}

test("a generated secret is shown if the response is lost, also with --json, and in no other failure", async () => {
  const lost = Object.create(UncertainOutcomeError.prototype) as UncertainOutcomeError;
  const { out, written } = newOutput();
  await expect(sendSecret("whsec_x", out, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  await expect(sendSecret(null, out, () => Promise.reject(lost))).rejects.toBe(lost);
  expect(written()).toBe("");
  await expect(sendSecret("whsec_x", out, () => Promise.reject(lost))).rejects.toBe(lost);
  expect(written()).toBe("If the change took effect, the signing secret is: whsec_x\n");
  expect(await sendSecret("whsec_x", out, async () => 1)).toBe(1);
});
