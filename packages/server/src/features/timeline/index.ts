export { openTimeline } from "./open.ts";
