/** The members of vitest's JSON report that are counted here. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly success: boolean;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts passed and failed tests. A file that did not load counts as one failure. So does a run that failed without a
 * failed test, that ran no test, or that left no report.
 */
export function tallyTests(report: VitestReport | undefined, exitCode: number | null): Tally {
  if (report === undefined) return { passed: 0, failed: 1 };
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + unloaded.length;
  const isQuietFailure = failed === 0 && (exitCode !== 0 || !report.success || passed === 0);
  return { passed, failed: isQuietFailure ? 1 : failed };
}
