export { openIdempotency } from "./open.ts";
export { hashInput, type Idempotency } from "./service.ts";
