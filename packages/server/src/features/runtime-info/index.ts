export { createRuntimeInfoHandlers } from "./handlers.ts";
