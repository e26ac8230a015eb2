import { catalogue, type openapiOperations, type Transport } from "@belfry/contract";
import { buildDocument, localApi, type OpenApiDocument, remoteApi } from "@belfry/contract/openapi";
import type { OperationsOf } from "../../kernel/operation.ts";

const apis = { local: localApi, remote: remoteApi };

/** Opens the module. A document is built on its first request, because building it would slow down the start. */
export function openOpenapi(): { readonly operations: OperationsOf<typeof openapiOperations> } {
  const documents = new Map<Transport, OpenApiDocument>();
  const documentOf = (transport: Transport): OpenApiDocument => {
    const document = documents.get(transport) ?? buildDocument(catalogue, apis[transport]);
    documents.set(transport, document);
    return document;
  };
  return {
    operations: { "openapi.get": { handle: ({ actor }) => ({ ...documentOf(actor.transport) }) } },
  };
}
