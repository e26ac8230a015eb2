export { createEngine, type Engine } from "./engine.ts";
export { createOutputHandler } from "./output.ts";
