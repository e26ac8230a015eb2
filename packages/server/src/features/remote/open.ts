import type { InvitedTrust } from "@belfry/contract";
import type { Config } from "../../kernel/config/config.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { ManifestService } from "../manifest/index.ts";
import { listAddresses } from "./addresses.ts";
import { publicKeySha256Of, sha256Of } from "./certificate.ts";
import { createRemoteConfigFile } from "./config-file.ts";
import { remoteEvents } from "./events.ts";
import { serveRemote } from "./operations.ts";
import { createOwnCertificates } from "./own-certificate.ts";
import { createRemoteService } from "./service.ts";
import type { RemoteSettings } from "./settings.ts";
import { createStation } from "./station.ts";
import { createTurns } from "./turns.ts";
import { createUpkeep } from "./upkeep.ts";

export interface RemoteParts {
  readonly config: Pick<Config, "paths">;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: RemoteSettings;
  readonly manifest: ManifestService;
}

/** What a new client needs to reach and trust this daemon. */
export interface RemoteTrust {
  readonly addresses: readonly string[];
  /** The fingerprint of the certificate that clients trust. */
  readonly certificateSha256: string;
  readonly publicKeySha256: string;
  readonly trust: InvitedTrust;
}

export function openRemote({ config: { paths }, clock, log, settings, manifest }: RemoteParts) {
  const ownCertificates = createOwnCertificates({
    folder: paths.remote,
    clock,
    installationId: () => manifest.view().installation_id,
  });
  const station = createStation({ clock, settings, ownCertificates });
  const takeTurn = createTurns();
  const configFile = createRemoteConfigFile(paths.configFile);
  const upkeep = createUpkeep({ clock, log, station, takeTurn });
  return {
    settings,
    connect: station.connect,
    /** Null while the remote API is off, and while it has no certificate yet. */
    trust: (): RemoteTrust | null => {
      const certificate = settings.isEnabled() ? station.certificate() : null;
      if (certificate === null) return null;
      const { leaf, root } = certificate;
      const publicKeySha256 = publicKeySha256Of(leaf);
      return {
        addresses: listAddresses(settings.current()),
        certificateSha256: sha256Of((root ?? leaf).raw),
        publicKeySha256,
        trust:
          root === null ? { kind: "key", publicKeySha256 } : { kind: "root", certificate: new Uint8Array(root.raw) },
      };
    },
    /** The root names the installation, so a new identity needs a new root. */
    onManifestReset: upkeep.wake,
    rounds: upkeep.rounds,
    operations: serveRemote(createRemoteService({ station, configFile, takeTurn, onChanged: upkeep.wake }), station),
    events: remoteEvents(manifest),
    loops: [
      {
        start: upkeep.runNow,
        stop: async (): Promise<void> => {
          await upkeep.stop();
          await station.stop(takeTurn);
        },
      },
    ],
  };
}

export type Remote = ReturnType<typeof openRemote>;
