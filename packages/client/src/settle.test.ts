import { describe, expect, test } from "vitest";
import { toApiError } from "./api-error.ts";
import { ConnectionError } from "./errors.ts";
import { settleByAbsence, settleByPatch, settleByRevision, settleByState } from "./settle.ts";

const task = {
  name: "Nightly",
  timeout: "90m",
  labels: { team: "infra", tier: "1" },
  retry: { max_attempts: 2, delay: "10s" },
  environment_names: ["LEVEL"],
  revision: 3,
};
const gone = toApiError({ code: "not_found", status: 404, field: null, message: "no", requestId: null });
const read = () => Promise.resolve(task);

describe("a patch", () => {
  test.each([
    ["that shows is in effect", { name: "Nightly" }, undefined, "committed"],
    ["that shows is in effect whatever the revision", { name: "Nightly" }, 3, "committed"],
    ["of part of a nested object is in effect where that part shows", { retry: { max_attempts: 2 } }, 2, "committed"],
    ["that removed a label is in effect where it is gone", { labels: { old: null, team: "infra" } }, 2, "committed"],
    ["that did not remove a label is not", { labels: { tier: null } }, 3, "not_committed"],
    ["that does not show is not, while the revision stands", { name: "Weekly" }, 3, "not_committed"],
    ["that does not show is unknown without a revision", { timeout: "1.5h" }, undefined, "unknown"],
    ["that does not show is unknown after the revision rose", { timeout: "1.5h" }, 2, "unknown"],
    ["of secrets never shows", { environment: { LEVEL: "full" } }, undefined, "unknown"],
    ["of secrets is not in effect while the revision stands", { environment: { LEVEL: "full" } }, 3, "not_committed"],
  ] as const)("%s", async (_, patch, ifMatch, settlement) => {
    expect(await settleByPatch(read(), { patch, ifMatch })).toBe(settlement);
  });
});

test("a switch is in effect where the resource shows it", async () => {
  expect(await settleByState(read(), (now) => now.revision === 3)).toBe("committed");
  expect(await settleByState(read(), (now) => now.revision === 4)).toBe("not_committed");
});

test("a rotation is not in effect while the revision stands, and else unknown: another may have been there", async () => {
  expect(await settleByRevision(read(), 3)).toBe("not_committed");
  for (const ifMatch of [2, "*", undefined] as const) expect(await settleByRevision(read(), ifMatch)).toBe("unknown");
});

test("a deletion is in effect where nothing is left", async () => {
  expect(await settleByAbsence(read())).toBe("not_committed");
  expect(await settleByAbsence(Promise.reject(gone))).toBe("committed");
});

test("what cannot be read cannot be settled", async () => {
  const unreachable = () => Promise.reject(new ConnectionError("no"));
  expect(await settleByAbsence(unreachable())).toBe("unknown");
  expect(await settleByState(unreachable(), () => true)).toBe("unknown");
  expect(await settleByPatch(unreachable(), { patch: {}, ifMatch: 1 })).toBe("unknown");
});

test("a programming error is not taken for an unknown outcome", async () => {
  await expect(settleByState(Promise.reject(new TypeError("bug")), () => true)).rejects.toThrow("bug");
  await expect(settleByAbsence(Promise.reject(new TypeError("bug")))).rejects.toThrow("bug");
});
