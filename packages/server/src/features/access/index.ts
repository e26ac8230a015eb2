export { openAccess } from "./open.ts";
export { requireCapability } from "./require-capability.ts";
