import type { Hints } from "../../kernel/module.ts";
import type { DispatchRequested } from "./facts.ts";

export const engineHints: Hints<DispatchRequested> = { kind: "run", of: { "dispatch.requested": null } };
