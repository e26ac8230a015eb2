import type { remoteOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import type { RemoteFact } from "./facts.ts";
import type { RemoteService } from "./service.ts";
import type { Station } from "./station.ts";

export function serveRemote(
  service: RemoteService,
  station: Pick<Station, "view">,
): OperationsOf<typeof remoteOperations, RemoteFact> {
  return {
    "remote.get": { handle: () => station.view() },
    "remote.enable": { prepare: ({ body }) => service.enable(body) },
    "remote.disable": { prepare: () => service.disable() },
    "remote.renew": { prepare: ({ body }) => service.renew(body) },
  };
}
