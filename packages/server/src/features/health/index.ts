export { openHealth } from "./open.ts";
