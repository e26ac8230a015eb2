export { openIdempotency } from "./open.ts";
export type { Idempotency, KeyedCall } from "./service.ts";
