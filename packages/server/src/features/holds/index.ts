export { openHolds } from "./open.ts";
export type { Holds } from "./service.ts";
export type { HoldRow } from "./table.ts";
export type { HoldEnding, HoldFact } from "./facts.ts";
