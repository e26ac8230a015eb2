import type { Log } from "../../kernel/log/log.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { Groups } from "../groups/index.ts";
import { holdEvents } from "./events.ts";
import type { HoldFact } from "./facts.ts";
import { serveHolds } from "./operations.ts";
import { createReleaseLoop } from "./release-loop.ts";
import { createHolds } from "./service.ts";
import { createHoldStore } from "./store.ts";

export interface HoldsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<HoldFact>;
  readonly groups: Groups;
}

export function openHolds({ db, groups, ...parts }: HoldsParts) {
  const service = createHolds({ store: createHoldStore(db), groups });
  const releaseLoop = createReleaseLoop({ ...parts, holds: service });
  return {
    service,
    operations: serveHolds(service),
    events: holdEvents(service),
    releaseLoop,
    loops: [releaseLoop],
  };
}
