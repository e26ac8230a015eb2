import { screenModules } from "./outside-screens.ts";
import { features, inFolder, inServer as server, serverHome, tableReaders } from "./layers.ts";

/**
 * The owners of outside modules: the only files that may import them. A module without a row cannot be imported, so a
 * new dependency enters through one file with a line that explains why.
 */
export interface OutsideModule {
  /** Specifiers, each with its subpaths. `node:*` is every built-in without a row of its own. */
  readonly modules: readonly string[];
  /** Only these exports are restricted to the owners. The other row of the module applies to the rest. */
  readonly names?: readonly string[];
  readonly owners: readonly string[];
  readonly instead: string;
}

const everyModule = (file: string): readonly string[] =>
  server(...Object.keys(features).map((module) => `features/${module}/${file}`));

const watchingModules = Object.keys(features).filter((name) => features[name]?.watchesFiles === true);

export const outsideModules: readonly OutsideModule[] = [
  {
    modules: ["zod"],
    owners: [
      "packages/contract/src/**/*.ts",
      ...server("kernel/config/config.ts", "kernel/config/*-config.ts", "transports/shared/validation.ts"),
    ],
    instead:
      "inputs are parsed with the contract's schemas, which describe webhooks too, and the configuration is read by kernel/config/config.ts",
  },
  {
    modules: ["@hono/zod-openapi"],
    owners: ["packages/contract/src/openapi/*.ts"],
    instead: "only packages/contract/src/openapi turns descriptors into a document",
  },
  {
    modules: ["hono", "@hono/node-server"],
    owners: server("transports/*/*.ts"),
    instead: "only the server's transports know HTTP",
  },
  {
    modules: ["drizzle-orm", "better-sqlite3"],
    owners: [
      ...server(
        "kernel/storage/database.ts",
        "kernel/storage/database-check.ts",
        "kernel/storage/migrate.ts",
        "kernel/storage/origin.ts",
        "kernel/storage/copy-worker.ts",
        "kernel/storage/restored-database.ts",
        "kernel/storage/write.ts",
        "kernel/storage/read-together.ts",
        "kernel/storage/statements.ts",
        "kernel/files/lock-file.ts",
        "features/access/pairing-store.ts",
      ),
      ...tableReaders.flatMap(everyModule),
    ],
    instead: "SQL lives in a module's table.ts and store.ts, and in the kernel's database files",
  },
  {
    modules: ["croner"],
    owners: server("features/schedules/timing/cron.ts"),
    instead: "cron is read by schedules/timing/cron.ts",
  },
  {
    modules: ["temporal-polyfill"],
    owners: server("features/schedules/timing/zone.ts"),
    instead: "time zones are the business of schedules/timing/zone.ts",
  },
  {
    modules: ["tar-stream"],
    owners: server("features/backups/archive.ts"),
    instead: "archives are written and read by features/backups/archive.ts",
  },
  {
    modules: ["picomatch"],
    owners: server("features/watchers/pattern.ts"),
    instead: "globs are compiled by features/watchers/pattern.ts",
  },
  {
    modules: ["ipaddr.js"],
    owners: server("features/channels/address-class.ts"),
    instead: "addresses are classified by channels/address-class.ts",
  },
  {
    modules: ["node:tls"],
    owners: [
      ...server("features/deliveries/sending/connect.ts", "transports/remote/listen.ts"),
      "packages/client/src/transports/*.ts",
    ],
    instead:
      "what leaves the machine leaves by deliveries/sending/send-webhook.ts, the client's transports/open-tls.ts verifies a daemon, and transports/remote/listen.ts serves TLS",
  },
  {
    modules: ["node:dns"],
    owners: server("features/deliveries/sending/resolve-host.ts", "features/deliveries/sending/name-servers.ts"),
    instead: "names are resolved by deliveries/sending/resolve-host.ts",
  },
  {
    modules: ["smol-toml"],
    owners: server("kernel/config/config.ts", "kernel/config/toml-section.ts"),
    instead: "configuration is read by kernel/config/config.ts, and changed by toml-section.ts",
  },
  {
    // the polyfill that the library reads while it is loaded
    modules: ["@peculiar/x509", "reflect-metadata"],
    owners: server("features/remote/make-certificates.ts"),
    instead: "certificates are made by features/remote/make-certificates.ts",
  },
  {
    modules: ["koffi"],
    owners: server("runner/processes/libc.ts"),
    instead: "the functions of the C library that Node lacks are called by runner/processes/libc.ts",
  },
  { modules: ["nanoid"], owners: server("kernel/ids.ts"), instead: "ids are made by kernel/ids.ts" },
  {
    modules: ["env-paths"],
    owners: server("kernel/files/paths.ts"),
    instead: "places on disk are chosen by kernel/files/paths.ts",
  },
  {
    modules: ["@napi-rs/keyring"],
    owners: ["apps/cli/src/profiles/keychain.ts"],
    instead: "the keychain is used by the CLI's profiles/keychain.ts",
  },
  {
    modules: ["uqr"],
    owners: ["apps/cli/src/output/qr-code.ts", "apps/desktop/src/components/qr-code.tsx"],
    instead: "QR codes are drawn by the CLI's output/qr-code.ts, and by the screens' components/qr-code.tsx",
  },
  {
    modules: ["jsonc-parser"],
    owners: ["apps/cli/src/definitions/commented-json.ts"],
    instead: "JSON with comments is read by the CLI's definitions/commented-json.ts",
  },
  ...screenModules,
  { modules: ["commander"], owners: ["apps/cli/src/**/*.ts"], instead: "only the CLI parses arguments" },
  { modules: ["ky"], owners: ["packages/client/src/send.ts"], instead: "the client's requests leave through send.ts" },
  {
    modules: ["eventsource-parser"],
    owners: ["packages/client/src/server-events.ts"],
    instead: "event streams are read by the client's server-events.ts",
  },
  {
    modules: ["node:child_process"],
    owners: [
      ...server(
        "runner/processes/limits.ts",
        "runner/users/run-tool.ts",
        "features/engine/runners/runner-process.ts",
        "features/watchers/observer-process.ts",
      ),
      "apps/cli/src/**/*.ts",
    ],
    instead:
      "tasks are started by runner/processes/spawn.ts, tools for other users by runner/users/run-tool.ts; engine/runners/runner-process.ts starts the runner, and watchers/observer-process.ts an observer",
  },
  {
    modules: ["node:net", "node:http"],
    owners: [
      ...server("transports/*/*.ts", ...inFolder("runner"), "features/engine/runners/runner-connection.ts"),
      // the connection of a webhook, and the classification of addresses
      ...server(
        "kernel/config/config.ts",
        "features/remote/addresses.ts",
        ...["connect.ts", "idle-connections.ts", "http-exchange.ts", "resolve-host.ts"].map(
          (file) => `features/deliveries/sending/${file}`,
        ),
      ),
      "packages/client/src/transports/*.ts",
      "packages/client/src/local.ts",
      "apps/cli/src/webhooks/listener.ts",
      "apps/cli/src/ui/*.ts",
    ],
    instead: "sockets belong to transports, to the runner and to engine/runners/runner-connection.ts",
  },
  {
    modules: ["node:crypto"],
    names: ["getRandomValues", "randomBytes", "randomFill", "randomFillSync", "randomInt", "randomUUID", "webcrypto"],
    owners: server("kernel/random.ts"),
    instead: "randomness comes from kernel/random.ts",
  },
  {
    modules: ["node:fs", "node:fs/promises"],
    names: ["watch", "watchFile"],
    owners: watchingModules.map((module) => `${serverHome}/features/${module}/watch-files.ts`),
    instead: "files are watched by the watch-files.ts of a module whose row in layers.ts says so",
  },
  {
    modules: ["node:timers", "node:timers/promises"],
    owners: [],
    instead: "time passes through kernel/time/clock.ts",
  },
  { modules: ["node:process"], owners: [], instead: "use the global, whose env and exit have an owner" },
  {
    modules: ["node:module"],
    // enables the cache of compiled code
    owners: ["apps/cli/src/run-process.ts"],
    instead: "createRequire hides an import from every check",
  },
  {
    modules: ["node:sqlite"],
    owners: [],
    instead: "the database is better-sqlite3, behind kernel/storage/database.ts",
  },
  {
    modules: ["node:https"],
    owners: server("transports/remote/listen.ts"),
    instead:
      "what leaves the machine leaves by deliveries/sending/send-webhook.ts, and TLS is served by transports/remote/listen.ts",
  },
  {
    modules: ["node:http2", "node:dgram"],
    owners: [],
    instead: "what leaves the machine leaves by deliveries/sending/send-webhook.ts",
  },
  {
    modules: ["node:worker_threads"],
    owners: server(
      "kernel/thread.ts",
      "kernel/storage/copy-worker.ts",
      "features/watchers/observing/program.ts",
      "transports/shared/body-worker.ts",
    ),
    instead:
      "kernel/thread.ts starts the three threads beside the daemon's own: one parses large bodies, one observes files, one copies the database",
  },
  {
    modules: ["node:cluster", "node:vm", "node:repl", "node:inspector"],
    owners: [],
    instead: "code is loaded only by import",
  },
  {
    modules: ["node:*"],
    owners: [
      ...server("**/*.ts"),
      "apps/cli/src/**/*.ts",
      "packages/client/src/transports/*.ts",
      "packages/client/src/local.ts",
      "packages/contract/src/openapi/write.ts",
    ],
    instead:
      "the contract, the client, crontab and webhook-schema run in browsers; Node is for the client's transports/ and local.ts",
  },
];
