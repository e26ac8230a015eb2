export { ensureLocalActor } from "./local-actor.ts";
export { requireCapability } from "./require-capability.ts";
export { createAccessStore } from "./store.ts";
