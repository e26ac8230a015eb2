export { createImportHandlers } from "./handlers.ts";
export { createImports } from "./service.ts";
export { createImportStore } from "./store.ts";
