/**
 * Who may import whom: the architecture, in one place. The lint rules and the import check are both computed
 * from these tables, so they always agree. Every path is relative to the repository.
 */

/** The workspace packages that the shipped sources of each package may import. Nothing shipped imports `tooling/*`. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  // the types and terms of webhook payloads belong to the receivers' package
  "packages/contract": ["@belfry/webhook-schema"],
  // receivers install this package alone, so it has no dependency and its own version
  "packages/webhook-schema": [],
  "packages/client": ["@belfry/contract", "@belfry/contract/remote"],
  "packages/server": ["@belfry/contract"],
  // what runs in a browser: the daemon is called through the SDK, and the contract gives types
  "apps/desktop": ["@belfry/client", "@belfry/contract", "@belfry/crontab"],
  // it runs in browsers too, so it reads no file
  "packages/crontab": ["@belfry/contract"],
  // the daemon is started by the path of its executable
  "apps/cli": ["@belfry/client", "@belfry/client/local", "@belfry/client/remote", "@belfry/contract"],
};

/** Entry points that only some files may import, besides the package's own row above. */
export const narrowEntries: Readonly<Record<string, readonly string[]>> = {
  "@belfry/contract/openapi": ["packages/server/src/features/openapi/open.ts"],
  "@belfry/crontab": ["apps/cli/src/crontab/*.ts", "apps/cli/src/commands/import/crontab.ts"],
  // only two commands import it, so that no other command loads it
  "@belfry/webhook-schema": ["apps/cli/src/webhooks/*.ts"],
  "@belfry/webhook-schema/testing": ["apps/cli/src/webhooks/*.ts"],
};

/** Sources that are published only inside a bundle: users do not install what they import. */
export const bundled: readonly string[] = [
  "packages/server/src/**/*.ts",
  "apps/cli/src/**/*.ts",
  "packages/crontab/src/**/*.ts",
  "apps/desktop/src/**/*.ts",
  "apps/desktop/src/**/*.tsx",
  "packages/contract/src/openapi/*.ts",
];

/** Files that may import a program by a path found at run time; everywhere else an import names its module in plain text. */
export const loaders: readonly string[] = ["apps/cli/src/commands/daemon/run.ts"];

export const serverHome = "packages/server/src";

export function inServer(...files: readonly string[]): readonly string[] {
  return files.map((file) => `${serverHome}/${file}`);
}

/** A folder of the server: its files, and those of the folders in it. Nothing is nested deeper. */
export function inFolder(folder: string): readonly string[] {
  return [`${folder}/*.ts`, `${folder}/*/*.ts`];
}

export interface Layer {
  readonly files: readonly string[];
  /** The lower layers and files that this layer may import besides its own files. */
  readonly imports: readonly string[];
}

/** The layers of the server from the top down. A module is one layer with a row of its own below. */
export const layers: Readonly<Record<string, Layer>> = {
  composition: {
    files: [
      "bin.ts",
      "run-daemon.ts",
      "daemon-parts.ts",
      "daemon.ts",
      "prepare-database.ts",
      "hold-arrived.ts",
      "application.ts",
      "modules.ts",
      "merge-modules.ts",
      "reactions.ts",
      "housekeeping.ts",
      "remote-transport.ts",
      "fire-transport.ts",
      "watched-places.ts",
      "index.ts",
    ],
    imports: [
      "transports/*/*.ts",
      "gateway.ts",
      "features/*/index.ts",
      "runner/protocol/messages.ts",
      ...inFolder("kernel"),
    ],
  },
  "transports/local": {
    files: ["transports/local/*.ts"],
    imports: ["transports/shared/*.ts", "gateway.ts", ...inFolder("kernel")],
  },
  "transports/fire": {
    files: ["transports/fire/*.ts"],
    imports: ["transports/shared/*.ts", "gateway.ts", ...inFolder("kernel")],
  },
  "transports/remote": {
    files: ["transports/remote/*.ts"],
    imports: ["transports/shared/*.ts", "gateway.ts", ...inFolder("kernel")],
  },
  "transports/shared": { files: ["transports/shared/*.ts"], imports: ["gateway.ts", ...inFolder("kernel")] },
  gateway: {
    files: ["gateway.ts", "gateway/*.ts"],
    imports: [
      "features/access/index.ts",
      "features/audit/index.ts",
      "features/idempotency/index.ts",
      ...inFolder("kernel"),
    ],
  },
  // a separate program that outlives the daemon, so it must not depend on the server
  runner: { files: inFolder("runner"), imports: ["kernel/time/clock.ts", "kernel/time/time.ts"] },
  // calendar arithmetic without rows, clocks and modules
  "features/schedules/timing": {
    files: ["features/schedules/timing/*.ts"],
    imports: ["kernel/time/time.ts", "kernel/log/redact.ts"],
  },
  kernel: { files: inFolder("kernel"), imports: [] },
};

export interface FeatureModule {
  /** The modules whose `index.ts` this module may import, and whose `facts.ts` it may import as types. */
  readonly opens: readonly string[];
  /** Files of other layers, named one by one. */
  readonly shares?: readonly string[];
  /** Its `watch-files.ts` may watch files. */
  readonly watchesFiles?: true;
}

/** Which modules each module may import; every module may import the kernel. An entry that no row lists is imported only by composition or the gateway. */
export const features: Readonly<Record<string, FeatureModule>> = {
  groups: { opens: [] },
  holds: { opens: ["groups"] },
  tasks: { opens: ["groups", "holds"] },
  runs: { opens: ["tasks"] },
  schedules: {
    opens: ["tasks", "runs"],
    shares: ["compile-timing.ts", "cron-error.ts", "zone.ts"].map((file) => `features/schedules/timing/${file}`),
  },
  triggers: { opens: ["tasks", "runs"] },
  "trigger-sets": { opens: ["tasks", "triggers"] },
  timeline: { opens: ["groups", "tasks", "runs"] },
  chains: { opens: ["tasks", "runs"] },
  watchers: { opens: ["tasks", "runs"], watchesFiles: true },
  engine: {
    opens: ["tasks", "runs"],
    // the protocol and the files that both sides use, and the cleanup after a dead runner
    shares: [
      "runner/protocol/messages.ts",
      "runner/protocol/lines.ts",
      "runner/places.ts",
      "runner/output/kept-pieces.ts",
      "runner/output/order-record.ts",
      "runner/output/order-record.ts",
      "runner/identity.ts",
      "runner/claims/claim.ts",
      "runner/claims/forget-claim.ts",
      "runner/processes/leftovers.ts",
      "runner/processes/own-cgroup.ts",
      "runner/processes/processes.ts",
      "runner/processes/remaining-text.ts",
      "runner/processes/scanner.ts",
      "runner/system-error.ts",
      "runner/users/switch-user.ts",
    ],
  },
  channels: { opens: [] },
  assignments: { opens: ["groups", "tasks", "channels"] },
  deliveries: { opens: ["tasks", "runs", "channels", "assignments"] },
  manifest: { opens: [] },
  health: { opens: [] },
  "runtime-info": { opens: [] },
  events: { opens: [] },
  access: { opens: [] },
  // the manifest's identity names the root, and its capabilities say whether the remote API is enabled
  remote: { opens: ["manifest"] },
  audit: { opens: [] },
  idempotency: { opens: [] },
  backups: { opens: [] },
  import: { opens: ["groups", "tasks", "schedules"] },
  openapi: { opens: [] },
  why: { opens: ["tasks"] },
};

/**
 * The files of a module that contain SQL. Only they may import an allowed module's `table.ts`, for foreign keys and
 * joins.
 */
export const tableReaders: readonly string[] = [
  "table.ts",
  "store.ts",
  "pool-store.ts",
  "history-store.ts",
  "failure-store.ts",
  "abandon-store.ts",
  "attempt-store.ts",
];
