export { type Availability, openAvailability } from "./availability.ts";
export type { Engine } from "./engine.ts";
export type { DispatchRequested } from "./facts.ts";
export { findMissingTool } from "../../runner/users/switch-user.ts";
export { openEngine } from "./open.ts";
export type { OpenRunners } from "./runners/runners.ts";
