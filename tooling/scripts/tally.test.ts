import { expect, test } from "vitest";
import { tallyTests, type VitestReport } from "./tally.ts";

const green: VitestReport = { numPassedTests: 3, numFailedTests: 0, success: true, testResults: [] };

test("passed and failed tests are counted", () => {
  expect(tallyTests(green, 0)).toEqual({ passed: 3, failed: 0 });
  expect(tallyTests({ ...green, numFailedTests: 2, success: false }, 1)).toEqual({ passed: 3, failed: 2 });
});

test("a file that did not load counts as a failure", () => {
  const testResults = [
    { status: "failed", assertionResults: [] },
    { status: "failed", assertionResults: [{}] },
    { status: "passed", assertionResults: [{}] },
  ];
  expect(tallyTests({ ...green, numFailedTests: 1, success: false, testResults }, 1)).toEqual({ passed: 3, failed: 2 });
});

test("a run without a test is a failure", () => {
  expect(tallyTests({ ...green, numPassedTests: 0 }, 0)).toEqual({ passed: 0, failed: 1 });
});

test("a run that fails without a failed test is a failure", () => {
  expect(tallyTests(green, 1)).toEqual({ passed: 3, failed: 1 });
  expect(tallyTests(green, null)).toEqual({ passed: 3, failed: 1 });
  expect(tallyTests({ ...green, success: false }, 0)).toEqual({ passed: 3, failed: 1 });
});

test("a run that leaves no report is a failure", () => {
  expect(tallyTests(undefined, 0)).toEqual({ passed: 0, failed: 1 });
});
