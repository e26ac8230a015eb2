import type { Remote, RemoteEnable, RemoteRenew } from "@belfry/contract";
import type { RemoteConfig } from "../../kernel/config/remote-config.ts";
import type { TomlValue } from "../../kernel/config/toml-section.ts";
import { AppError, invalid } from "../../kernel/errors/errors.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { requireHosts } from "./addresses.ts";
import type { ServerCertificate } from "./certificate.ts";
import type { RemoteConfigFile } from "./config-file.ts";
import type { RemoteFact } from "./facts.ts";
import type { Station } from "./station.ts";
import type { TakeTurn } from "./turns.ts";
import { type Step, undoSteps } from "./undo-steps.ts";

export interface RemoteDeps {
  readonly station: Station;
  readonly configFile: RemoteConfigFile;
  readonly takeTurn: TakeTurn;
  /** Wakes the upkeep, which plans the next renewal. */
  readonly onChanged: () => void;
}

/** A change that is prepared: its commit, and what follows or undoes it. */
export interface PreparedChange {
  readonly commit: (unit: Unit<RemoteFact>) => Remote;
  readonly done: () => Promise<void>;
  readonly undo: () => Promise<void>;
}

/** The settings that a call may change, by the names in the contract, which are also the keys of the file. */
const members = ["host", "port", "advertise", "certificate", "key", "authority"] as const;

export type RemoteService = ReturnType<typeof createRemoteService>;

/**
 * Enables, disables and renews. Everything that can fail comes before the commit, and each step is undone if a later
 * one fails.
 */
export function createRemoteService({ station, configFile, takeTurn, onChanged }: RemoteDeps) {
  return {
    enable: (sent: RemoteEnable): Promise<PreparedChange> =>
      inTurn(async (undo) => {
        const former = station.settings.current();
        const next = applied(configFile.read(), sent);
        requireUsable(next);
        const { certificate, undo: undoFiles } = await station.certificateFor(next);
        undo.push(undoFiles);
        const opening = await open(next, certificate);
        undo.push(opening.undo);
        undo.push(configFile.write({ ...valuesOf(sent), enabled: true }));
        undo.push(() => station.settings.set(former), station.restorePoint());
        return {
          commit: (unit) => {
            station.settings.set(next);
            station.present(certificate);
            unit.record({ name: "remote.updated", changed: changedMembers(former, next) });
            if (!former.enabled) unit.record({ name: "remote.switched", isEnabled: true });
            return station.view();
          },
          done: opening.activate,
        };
      }),

    disable: (): Promise<PreparedChange> =>
      inTurn((undo) => {
        const former = station.settings.current();
        const next = { ...former, enabled: false };
        undo.push(configFile.write({ enabled: false }));
        undo.push(() => station.settings.set(former));
        return Promise.resolve({
          commit: (unit) => {
            station.settings.set(next);
            unit.record({ name: "remote.updated", changed: changedMembers(former, next) });
            if (former.enabled) unit.record({ name: "remote.switched", isEnabled: false });
            return station.view();
          },
          done: station.close,
        });
      }),

    renew: ({ root }: RemoteRenew): Promise<PreparedChange> =>
      inTurn(async (undo) => {
        const settings = station.settings.current();
        if (!settings.enabled && !root)
          throw new AppError("conflict", "the remote API is off: enable it first, with belfry remote enable");
        // a damaged root keeps the daemon from its own certificate, so it can be replaced whatever the settings are
        if (root && settings.certificate !== null && !station.isRootDamaged())
          throw invalid("root", "root must be false, because the configured certificate has no root of this daemon");
        const { certificate, undo: undoFiles } = root
          ? await station.newRootFor(settings)
          : await station.certificateFor(settings, "leaf");
        undo.push(undoFiles, station.restorePoint());
        const isInUse = !root || settings.certificate === null;
        // the API shows no certificate until it is enabled
        const isShown = settings.enabled || station.certificate() !== null;
        return {
          commit: (unit) => {
            if (isInUse && isShown) station.present(certificate);
            unit.record({ name: "remote.updated", changed: ["certificate"] });
            return station.view();
          },
          done: station.presentToClients,
        };
      }),
  };

  /** Takes a turn for a change, from its preparation to its end. */
  async function inTurn(
    prepare: (undo: Step[]) => Promise<Omit<PreparedChange, "undo" | "done"> & { readonly done: Step }>,
  ): Promise<PreparedChange> {
    const endTurn = await takeTurn();
    const steps: Step[] = [];
    const undo = async (): Promise<void> => {
      try {
        await undoSteps(steps);
      } finally {
        endTurn();
      }
    };
    try {
      const { commit, done } = await prepare(steps);
      const complete = async (): Promise<void> => {
        try {
          await done();
        } finally {
          endTurn();
          onChanged();
        }
      };
      return { commit, done: complete, undo };
    } catch (error) {
      await undo();
      throw error;
    }
  }

  async function open(next: RemoteConfig, certificate: ServerCertificate) {
    try {
      return await station.open(next, certificate);
    } catch (error) {
      throw new AppError("conflict", station.explainPort(next, error), { cause: error });
    }
  }
}

function applied(configured: RemoteConfig, sent: RemoteEnable): RemoteConfig {
  const { host, port, advertise, certificate, key, authority } = sent;
  return {
    ...configured,
    enabled: true,
    host: host ?? configured.host,
    port: port ?? configured.port,
    advertise: advertise ?? configured.advertise,
    certificate: certificate === undefined ? configured.certificate : certificate,
    key: key === undefined ? configured.key : key,
    authority: authority === undefined ? configured.authority : authority,
  };
}

function requireUsable(next: RemoteConfig): void {
  requireHosts(next.advertise);
  if (next.certificate !== null && next.key === null)
    throw invalid("key", "key is required with `certificate`: give the file with its private key");
  if (next.certificate === null && next.key !== null)
    throw invalid("certificate", "certificate is required with `key`: give the file with the certificate");
  if (next.certificate === null && next.authority !== null)
    throw invalid("authority", "authority is only for a certificate of your own: give `certificate` and `key` too");
}

function valuesOf(sent: RemoteEnable): Readonly<Record<string, TomlValue>> {
  return Object.fromEntries(members.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])));
}

function changedMembers(former: RemoteConfig, next: RemoteConfig): readonly string[] {
  // the file may have been changed by hand too
  const named = [...members, "enabled", "commands", "limits"] as const;
  return named.filter((name) => JSON.stringify(former[name]) !== JSON.stringify(next[name]));
}
