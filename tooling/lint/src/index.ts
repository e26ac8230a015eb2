export { config } from "./config.ts";
export { checkForbiddenText } from "./forbidden-text.ts";
export { checkImports, type Violation } from "./imports.ts";
export { layers, packages, features } from "./layers.ts";
