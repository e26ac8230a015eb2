import type { healthOperations } from "@belfry/contract";
import type { HandlersOf } from "../../kernel/operation.ts";

export function createHealthHandlers(): HandlersOf<typeof healthOperations> {
  return { "health.get": () => ({ status: "ok" }) };
}
