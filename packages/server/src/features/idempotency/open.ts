import type { Db } from "../../kernel/storage/database.ts";
import { serveIdempotency } from "./operations.ts";
import { createIdempotency } from "./service.ts";
import { createIdempotencyStore } from "./store.ts";

export function openIdempotency({ db }: { readonly db: Db }) {
  const service = createIdempotency(createIdempotencyStore(db));
  return { service, operations: serveIdempotency(service) };
}
