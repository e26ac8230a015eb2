export type { WatcherFact } from "./facts.ts";
export { openWatchers } from "./open.ts";
