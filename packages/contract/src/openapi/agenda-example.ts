import type { Agenda } from "../modules/schedules/preview.ts";
import { ids, names } from "./example-names.ts";

export const agenda: Agenda = {
  from: "2026-11-21T12:00:00.000Z",
  until: "2026-11-22T12:00:00.000Z",
  entries: [
    {
      at: "2026-11-22T02:00:00.000Z",
      schedule_id: ids.schedule,
      schedule_name: names.schedule,
      task_id: ids.task,
      task_name: names.task,
      due_at: "2026-11-22T02:00:00.000Z",
      local: "2026-11-22T03:00:00+01:00",
      dst_note: null,
      dst_shift: null,
      count: 1,
      last_at: "2026-11-22T02:00:00.000Z",
      every: null,
    },
  ],
  unplanned: [],
  dst_gaps: [],
  complete: true,
};
