export { openRuntimeInfo } from "./open.ts";
