import type { Log } from "../../kernel/log/log.ts";
import type { Sealing } from "../../kernel/secrets/secrets.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createMarkSeal } from "./marks.ts";
import { serveAudit } from "./operations.ts";
import { createAudit } from "./record.ts";
import { createAuditStore } from "./store.ts";

export interface AuditParts {
  readonly db: Db;
  readonly sealing: Sealing;
  readonly write: Write<never>;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** The number of newest rows to keep. Default: the contract's limit. */
  readonly auditKept?: number | undefined;
}

export function openAudit({ db, sealing, ...parts }: AuditParts) {
  const service = createAudit({ ...parts, store: createAuditStore(db), seal: createMarkSeal(sealing) });
  return { service, operations: serveAudit(service) };
}
