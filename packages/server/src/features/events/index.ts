export { createEventHandlers } from "./handlers.ts";
export { createHub, type Hub } from "./hub.ts";
