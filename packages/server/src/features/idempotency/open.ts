import type { Sealing } from "../../kernel/secrets/secrets.ts";
import type { Db } from "../../kernel/storage/database.ts";
import { serveIdempotency } from "./operations.ts";
import { createIdempotency } from "./service.ts";
import { createIdempotencyStore } from "./store.ts";

export interface IdempotencyParts {
  readonly db: Db;
  readonly sealing: Pick<Sealing, "derive">;
}

export function openIdempotency({ db, sealing }: IdempotencyParts) {
  const service = createIdempotency(createIdempotencyStore(db), sealing.derive("inputs of repeated calls"));
  return { service, operations: serveIdempotency(service) };
}
