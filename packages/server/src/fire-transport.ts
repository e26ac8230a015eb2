import type { Application } from "./application.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import { keyHolderOf } from "./gateway.ts";
import { createWaitingConnections } from "./transports/fire/connections.ts";
import { listenForFires } from "./transports/fire/listen.ts";
import { createServeFire, type Refused } from "./transports/fire/serve-fire.ts";
import type { HttpServerParts } from "./transports/shared/http-server.ts";
import { createRefusalSummary } from "./transports/shared/refusal-summary.ts";
import type { SocketListener } from "./transports/shared/socket-listener.ts";

export interface FireTransportParts
  extends
    Pick<DaemonParts, "config" | "clock" | "log" | "version" | "overrideGlobalObjects">,
    Pick<HttpServerParts, "onUnexpected"> {}

/** Fewer than the open files of a daemon, and more than its callers at one moment. */
const waitingMax = 256;

/** Opens the socket for holders of trigger keys, if the configuration has one. */
export async function openFireTransport(
  { modules: { triggers }, gateway }: Pick<Application, "modules" | "gateway">,
  { config, clock, log, version, overrideGlobalObjects = false, onUnexpected }: FireTransportParts,
): Promise<SocketListener | null> {
  const { fireSocket, paths } = config;
  if (fireSocket === null) return null;
  const refused = createRefusalSummary<Refused>({ clock, log, event: "triggers.refused" });
  const connections = createWaitingConnections({
    max: waitingMax,
    onDropped: () => refused.count("connections_dropped"),
  });
  const identify = (key: string) => keyHolderOf(triggers.fire.triggerWith(key));
  const listener = await listenForFires({
    config: fireSocket,
    paths,
    connections,
    version,
    fetch: createServeFire({ gateway, identify, clock, version, connections, refused }),
    overrideGlobalObjects,
    onUnexpected,
  });
  return {
    restore: listener.restore,
    close: async () => {
      await listener.close();
      await refused.stop();
    },
  };
}
