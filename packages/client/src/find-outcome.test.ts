import { describe, expect, test } from "vitest";
import { toApiError } from "./api-error.ts";
import { ConnectionError } from "./errors.ts";
import { findOutcomeByAbsence, findOutcomeByPatch, findOutcomeByRevision, findOutcomeByState } from "./find-outcome.ts";

const task = {
  name: "Nightly",
  timeout: "90m",
  labels: { team: "infra", tier: "1" },
  retry: { max_attempts: 2, delay: "10s" },
  description: null,
  environment_names: ["LEVEL"],
  revision: 3,
};
const gone = toApiError({ code: "not_found", status: 404, field: null, message: "no", requestId: null });
const read = () => Promise.resolve(task);

describe("a patch", () => {
  test.each([
    ["with values that the resource shows is in effect", { name: "Nightly" }, undefined, "committed"],
    ["with values that the resource shows is in effect after the revision rose", { name: "Nightly" }, 2, "committed"],
    [
      "with values that the resource shows is not in effect if the revision is unchanged: they are older",
      { name: "Nightly" },
      3,
      "not_committed",
    ],
    ["that clears a member is in effect if the member is null", { description: null }, 2, "committed"],
    ["that clears a write-only member is unknown", { standard_input: null }, 2, "unknown"],
    ["of a visible and a write-only member is unknown", { name: "Nightly", standard_input: "x" }, 2, "unknown"],
    [
      "of part of a nested object is unknown, because the daemon replaces it whole",
      { retry: { max_attempts: 2 } },
      2,
      "unknown",
    ],
    ["of a whole nested object is in effect", { retry: { delay: "10s", max_attempts: 2 } }, 2, "committed"],
    ["ignores undefined members, as JSON does", { timeout: undefined, name: "Nightly" }, 2, "committed"],
    ["that clears a nested object is unknown if the object is still there", { retry: null }, 2, "unknown"],
    ["without members is unknown, because the daemon rejects it", {}, undefined, "unknown"],
    ["that sets a label is in effect if the label has the value", { labels: { tier: "1" } }, 2, "committed"],
    ["that sets a label is unknown if the label has another value", { labels: { tier: "2" } }, 2, "unknown"],
    [
      "that removes a label is in effect if the label is gone",
      { labels: { old: null, team: "infra" } },
      2,
      "committed",
    ],
    [
      "that removes a label is not in effect if the revision is unchanged",
      { labels: { tier: null } },
      3,
      "not_committed",
    ],
    [
      "that the resource does not show is not in effect if the revision is unchanged",
      { name: "Weekly" },
      3,
      "not_committed",
    ],
    ["that the resource does not show is unknown without a revision", { timeout: "1.5h" }, undefined, "unknown"],
    ["that the resource does not show is unknown after the revision rose", { timeout: "1.5h" }, 2, "unknown"],
    ["of secrets is unknown", { environment: { LEVEL: "full" } }, undefined, "unknown"],
    ["that removes secrets is unknown", { environment: { OLD: null } }, undefined, "unknown"],
    [
      "of secrets is not in effect if the revision is unchanged",
      { environment: { LEVEL: "full" } },
      3,
      "not_committed",
    ],
  ] as const)("%s", async (_, patch, ifMatch, settlement) => {
    expect(await findOutcomeByPatch(read(), { patch, ifMatch })).toBe(settlement);
  });
});

test("a change is in effect if the resource shows it", async () => {
  expect(await findOutcomeByState(read(), (now) => now.revision === 3)).toBe("committed");
  expect(await findOutcomeByState(read(), (now) => now.revision === 4)).toBe("not_committed");
});

test("a rotation is not in effect if the revision is unchanged, and otherwise unknown: another call may have changed it", async () => {
  expect(await findOutcomeByRevision(read(), 3)).toBe("not_committed");
  for (const ifMatch of [2, "*", undefined] as const)
    expect(await findOutcomeByRevision(read(), ifMatch)).toBe("unknown");
});

test("a deletion is in effect if the resource is gone", async () => {
  expect(await findOutcomeByAbsence(read())).toBe("not_committed");
  expect(await findOutcomeByAbsence(Promise.reject(gone))).toBe("committed");
});

test("the outcome is unknown if the resource cannot be read", async () => {
  const unreachable = () => Promise.reject(new ConnectionError("no"));
  expect(await findOutcomeByAbsence(unreachable())).toBe("unknown");
  expect(await findOutcomeByState(unreachable(), () => true)).toBe("unknown");
  expect(await findOutcomeByPatch(unreachable(), { patch: {}, ifMatch: 1 })).toBe("unknown");
});

test("a programming error is thrown, not reported as an unknown outcome", async () => {
  await expect(findOutcomeByState(Promise.reject(new TypeError("bug")), () => true)).rejects.toThrow("bug");
  await expect(findOutcomeByAbsence(Promise.reject(new TypeError("bug")))).rejects.toThrow("bug");
});
