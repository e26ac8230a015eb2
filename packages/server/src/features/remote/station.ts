import type { Remote } from "@belfry/contract";
import type { RemoteConfig } from "../../kernel/config/remote-config.ts";
import { firstLine } from "../../kernel/errors/start-error.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { formatAddress, listAddresses } from "./addresses.ts";
import { type ServerCertificate, viewCertificate } from "./certificate.ts";
import { readConfiguredCertificate } from "./configured-certificate.ts";
import { noListener, type Opening, type RemoteListener } from "./listener.ts";
import type { Ensured, OwnCertificates, Renewal } from "./own-certificate.ts";
import type { RemoteSettings } from "./settings.ts";
import type { TakeTurn } from "./turns.ts";

export interface StationParts {
  readonly clock: Pick<Clock, "now">;
  readonly settings: RemoteSettings;
  readonly ownCertificates: OwnCertificates;
}

export type Station = ReturnType<typeof createStation>;

/** The state of the remote API: its settings, its certificate and its port. */
export function createStation({ clock, settings, ownCertificates }: StationParts) {
  let listener: RemoteListener = noListener;
  let certificate: ServerCertificate | null = null;
  let problem: string | null = null;
  let isStopped = false;

  return {
    settings,
    /** Connects the transport, which is made after all modules. */
    connect: (connected: RemoteListener): void => void (listener = connected),
    certificate: (): ServerCertificate | null => certificate,
    isListening: (): boolean => listener.isListening(),
    close: (): Promise<void> => listener.close(),
    open: ({ host, port }: RemoteConfig, { key, chain }: ServerCertificate): Promise<Opening> =>
      isStopped ? Promise.reject(new Error("the daemon is stopping")) : listener.open({ host, port, key, chain }),

    /** Closes the port for good: a change that is still in progress must not open it again. */
    stop: async (takeTurn: TakeTurn): Promise<void> => {
      const endTurn = await takeTurn();
      isStopped = true;
      await listener.close();
      endTurn();
    },

    /** Returns the certificate for these settings, and makes it if necessary. */
    certificateFor: async (of: RemoteConfig, renewal: Renewal = "none"): Promise<Ensured> => {
      if (of.certificate === null || of.key === null) return ownCertificates.ensure(of.advertise, renewal);
      const files = { certificate: of.certificate, key: of.key, authority: of.authority };
      return { certificate: readConfiguredCertificate(files, clock.now()), made: "none", undo: () => {} };
    },

    /** Makes a new root of this daemon, with a certificate under it. */
    newRootFor: (of: RemoteConfig): Promise<Ensured> => ownCertificates.ensure(of.advertise, "root"),
    isRootDamaged: ownCertificates.isRootDamaged,

    /** Remembers a certificate and that all is well; returns nothing to clients yet. */
    present: (next: ServerCertificate): void => {
      certificate = next;
      problem = null;
    },
    presentToClients: (): void => {
      if (certificate !== null) listener.renew(certificate);
    },
    reportProblem: (text: string): void => void (problem = text),
    problem: (): string | null => problem,

    /** Returns the function that restores the certificate and the problem of this moment. */
    restorePoint: (): (() => void) => {
      const former = { certificate, problem };
      return () => void ({ certificate, problem } = former);
    },

    explainPort: ({ host, port }: RemoteConfig, error: unknown): string => {
      const code = error instanceof Error && "code" in error ? error.code : null;
      const place = formatAddress(host, port);
      if (code === "EADDRINUSE")
        return `another program is listening on ${place}: stop that program, or choose another port`;
      if (code === "EACCES") return `this user may not listen on ${place}: choose a port of 1024 or above`;
      if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
        return `this machine does not have the address ${host}: choose :: for all, or one of its addresses`;
      return `${place} cannot be opened (${firstLine(error)}): choose another host or port`;
    },

    view: (): Remote => {
      const { enabled, host, port, advertise, commands } = settings.current();
      return {
        enabled,
        listening: enabled && listener.isListening(),
        problem: enabled ? problem : null,
        host,
        port,
        advertise: [...advertise],
        addresses: [...listAddresses({ host, port, advertise })],
        allows_commands: commands,
        certificate: certificate === null ? null : viewCertificate(certificate),
        connections: listener.countConnections(),
      };
    },
  };
}
