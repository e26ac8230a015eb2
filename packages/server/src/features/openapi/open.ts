import { catalogue, type openapiOperations } from "@belfry/contract";
import { buildDocument, localApi } from "@belfry/contract/openapi";
import type { OperationsOf } from "../../kernel/operation.ts";

/** Opens the module. The document is built on the first request, because building it would slow down the start. */
export function openOpenapi(): { readonly operations: OperationsOf<typeof openapiOperations> } {
  let document: ReturnType<typeof buildDocument> | null = null;
  return {
    operations: { "openapi.get": { handle: () => ({ ...(document ??= buildDocument(catalogue, localApi)) }) } },
  };
}
