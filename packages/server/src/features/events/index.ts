export type { Hub } from "./hub.ts";
export { openEvents } from "./open.ts";
