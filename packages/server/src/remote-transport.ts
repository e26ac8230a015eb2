import type { Operation } from "@belfry/contract";
import type { Application } from "./application.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import { createConnections } from "./transports/remote/connections.ts";
import { createIdentify } from "./transports/remote/identify.ts";
import { createRemoteListener } from "./transports/remote/listen.ts";
import { createRateLimits } from "./transports/remote/rate-limits.ts";
import type { Refused } from "./transports/remote/refused.ts";
import type { HttpServerParts } from "./transports/shared/http-server.ts";
import { createRefusalSummary } from "./transports/shared/refusal-summary.ts";

export interface RemoteTransportParts
  extends
    Pick<DaemonParts, "clock" | "log" | "version" | "overrideGlobalObjects">,
    Pick<HttpServerParts, "onUnexpected"> {}

/** Builds the remote transport, and connects it to the module that opens and closes its port. Opens nothing itself. */
export function openRemoteTransport(
  { modules: { access, remote }, mountFor }: Pick<Application, "modules" | "mountFor">,
  { clock, log, version, overrideGlobalObjects = false, onUnexpected }: RemoteTransportParts,
) {
  const limits = () => remote.settings.current().limits;
  const refused = createRefusalSummary<Refused>({ clock, log, event: "remote.refused" });
  const connections = createConnections({ limits, onDropped: () => refused.count("connections_dropped") });
  const { actorOf, refuseUnknown } = createIdentify({
    authenticate: access.admission.authenticate,
    clock,
    rates: createRateLimits(clock, limits),
    connections,
    refused,
  });
  const onAnonymousRefused = ({ kind }: Operation): void => {
    if (kind === "write") refused.count("enrollments_refused");
  };
  remote.connect(
    createRemoteListener({
      version,
      fetch: mountFor(actorOf, { transport: "remote", refuseUnknown, onAnonymousRefused }).fetch,
      overrideGlobalObjects,
      onUnexpected,
      connections,
      onHandshakeFailed: () => refused.count("handshakes_failed"),
    }),
  );
  return { stop: refused.stop };
}
