import type { Why } from "../modules/runs/schemas.ts";
import { ids, names } from "./example-names.ts";

export const why: Why = {
  at: "2026-11-21T02:30:00.000Z",
  readiness: "ready",
  reason: "ready",
  limit: null,
  schedules: [
    {
      schedule_id: ids.schedule,
      schedule_name: names.schedule,
      decision: "ran",
      run_id: ids.run,
      instant: "2026-11-21T02:00:00.000Z",
      reason: "The run exited with code 0",
      state: "enabled",
      paused_until: null,
    },
  ],
  chains: [],
  watchers: [],
  triggers: [],
  manual: null,
};
