export { openOpenapi } from "./open.ts";
