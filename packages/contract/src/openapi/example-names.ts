/** What the examples speak of, so that they all speak of the same. */
export const ids = {
  group: "grp_7Kq2mXv0Rz9tYb4LwNcD",
  task: "tsk_4fzH1TqWb8YkV0c2LxNd",
  schedule: "sch_Zp3nG6sJd1Qx8uE5aTvM",
  run: "run_0hB9yCkR4wUe7fLi2oSg",
  trigger: "trg_Rw7Hc0PzKd3Vn9XyLm2Q",
  trigger_set: "set_Jb6Tq1WfUs8Ec4OaNv0G",
  chain: "chn_Qe8Wz2LrTy5Nc0VhKs7D",
  import: "imp_Tn5vDq8KzXr1Wm6JbHfA",
  notification_channel: "nch_9sQf2LwYb7Rk4TzXc0Nd",
  notification_delivery: "dlv_3gMv8JhPq6Ws1YbKt5Xe",
};
/** Beside the ids. */
export const names = { group: "Backups", task: "Nightly backup", schedule: "Every night at three" };
/** Of what was made a while ago and not changed since. */
export const made = { created_at: "2026-11-02T09:30:00.000Z", updated_at: "2026-11-02T09:30:00.000Z", revision: 1 };
/** The task that a chain starts. */
export const report = { id: "tsk_9sGm2RvXe7PuQ1bKjZtA", name: "Report" };
