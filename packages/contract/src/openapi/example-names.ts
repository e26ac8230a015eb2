/** What the examples speak of, so that they all speak of the same. */
export { exampleIds as ids } from "../core/references.ts";
/** Beside the ids. */
export const names = { group: "Backups", task: "Nightly backup", schedule: "Every night at three" };
/** Of what was made a while ago and not changed since. */
export const made = { created_at: "2026-11-02T09:30:00.000Z", updated_at: "2026-11-02T09:30:00.000Z", revision: 1 };
/** The task that a chain starts. */
export const report = { id: "tsk_9sGm2RvXe7PuQ1bKjZtA", name: "Report" };
