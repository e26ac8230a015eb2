export { openImports } from "./open.ts";
