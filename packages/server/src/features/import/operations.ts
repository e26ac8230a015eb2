import type { importOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import type { ImportFact, Imports } from "./service.ts";

export function serveImports(imports: Imports): OperationsOf<typeof importOperations, ImportFact> {
  return {
    "import.create": { handle: (unit, { body }) => imports.create(unit, body) },
    "import.get": { handle: ({ params }) => imports.get(params.id) },
  };
}
