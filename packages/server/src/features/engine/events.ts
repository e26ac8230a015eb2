import type { ModuleEvents } from "../../kernel/module.ts";
import type { DispatchRequested } from "./facts.ts";

export const engineEvents: ModuleEvents<DispatchRequested> = { kind: "run", of: { "dispatch.requested": null } };
