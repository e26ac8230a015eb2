export { createIdempotencyHandlers } from "./handlers.ts";
export { createIdempotency, hashInput, type Idempotency } from "./service.ts";
export { createIdempotencyStore } from "./store.ts";
