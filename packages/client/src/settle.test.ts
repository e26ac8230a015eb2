import { describe, expect, test } from "vitest";
import { toApiError } from "./api-error.ts";
import { ConnectionError } from "./errors.ts";
import { settleByAbsence, settleByPatch, settleByRevision, settleByState } from "./settle.ts";

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
    ["that shows is in effect", { name: "Nightly" }, undefined, "committed"],
    ["that shows is in effect after the revision rose", { name: "Nightly" }, 2, "committed"],
    ["that shows is not, while the revision stands: it showed before", { name: "Nightly" }, 3, "not_committed"],
    ["that clears is in effect where null shows", { description: null }, 2, "committed"],
    ["that clears what never shows is unknown", { standard_input: null }, 2, "unknown"],
    ["of what shows beside what never does is unknown", { name: "Nightly", standard_input: "x" }, 2, "unknown"],
    [
      "of part of a nested object is unknown: the daemon replaces it whole",
      { retry: { max_attempts: 2 } },
      2,
      "unknown",
    ],
    ["of a whole nested object is in effect", { retry: { delay: "10s", max_attempts: 2 } }, 2, "committed"],
    ["leaves out what is undefined, as JSON does", { timeout: undefined, name: "Nightly" }, 2, "committed"],
    ["that clears a nested object is unknown where it stands", { retry: null }, 2, "unknown"],
    ["of nothing is unknown: the daemon refuses it", {}, undefined, "unknown"],
    ["that set a label is in effect where it shows", { labels: { tier: "1" } }, 2, "committed"],
    ["that set a label is unknown where another shows", { labels: { tier: "2" } }, 2, "unknown"],
    ["that removed a label is in effect where it is gone", { labels: { old: null, team: "infra" } }, 2, "committed"],
    ["that did not remove a label is not", { labels: { tier: null } }, 3, "not_committed"],
    ["that does not show is not, while the revision stands", { name: "Weekly" }, 3, "not_committed"],
    ["that does not show is unknown without a revision", { timeout: "1.5h" }, undefined, "unknown"],
    ["that does not show is unknown after the revision rose", { timeout: "1.5h" }, 2, "unknown"],
    ["of secrets never shows", { environment: { LEVEL: "full" } }, undefined, "unknown"],
    ["that removes secrets never shows", { environment: { OLD: null } }, undefined, "unknown"],
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
