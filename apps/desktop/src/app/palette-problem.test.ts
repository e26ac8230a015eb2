import { ApiError, ConnectionError } from "@belfry/client";
import { expect, test } from "vitest";
import { problemOf } from "./palette-problem.ts";

const searched = (what: string, error: unknown = null) => ({ what, read: { error, isReading: false } });
const refusal = (code: string, status: number) =>
  new ApiError({ status, code, message: "the daemon said this", field: null, requestId: null });

test("a search without errors has no problem, nor has one for what is not there or not allowed", () => {
  expect(problemOf([searched("tasks"), searched("runs")])).toBeNull();
  expect(problemOf([searched("runs", refusal("not_found", 404))])).toBeNull();
  expect(problemOf([searched("channels", refusal("forbidden", 403))])).toBeNull();
});

test("each thing that could not be read is named once, with the reason", () => {
  const failure = refusal("internal", 500);
  expect(problemOf([searched("tasks", failure), searched("groups")])).toBe(
    "The search could not read tasks. The daemon said this.",
  );
  const lost = new ConnectionError("The daemon is away.");
  expect(problemOf(["tasks", "runs", "runs", "groups"].map((what) => searched(what, lost)))).toMatch(
    /^The search could not read tasks, runs and groups\. The daemon is away\. /,
  );
});
