/**
 * Returns whether the work succeeds. Does not log a failure, because the same work has just failed together with other
 * work and was logged.
 */
export function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
