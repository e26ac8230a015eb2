/** Ids and names that all examples share. */
export { exampleIds as ids } from "../core/references.ts";
export const names = { group: "Backups", task: "Nightly backup", schedule: "Every night at three" };
/** A resource that has not changed since it was created. */
export const made = { created_at: "2026-11-02T09:30:00.000Z", updated_at: "2026-11-02T09:30:00.000Z", revision: 1 };
/** The task that a chain starts. */
export const report = { id: "tsk_9sGm2RvXe7PuQ1bKjZtA", name: "Report" };
