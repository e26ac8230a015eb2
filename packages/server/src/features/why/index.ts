export { openWhy } from "./open.ts";
