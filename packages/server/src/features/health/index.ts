export { createHealthHandlers } from "./handlers.ts";
