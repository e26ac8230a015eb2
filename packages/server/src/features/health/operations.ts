import type { healthOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";

export function serveHealth(): OperationsOf<typeof healthOperations> {
  return { "health.get": { handle: () => ({ status: "ok" }) } };
}
