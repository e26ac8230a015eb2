import type { importOperations } from "@belfry/contract";
import type { HandlersOf } from "../../kernel/operation.ts";
import type { ImportFact, Imports } from "./service.ts";

export function createImportHandlers(imports: Imports): HandlersOf<typeof importOperations, ImportFact> {
  return {
    "import.create": (unit, { body }) => imports.create(unit, body),
    "import.get": ({ params }) => imports.get(params.id),
  };
}
