import { catalogue, type Operation, type Transport } from "@belfry/contract";
import { createGateway } from "./gateway.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { describeError } from "./kernel/errors/errors.ts";
import { createWalTruncation } from "./kernel/storage/wal-truncation.ts";
import { createReadTogether } from "./kernel/storage/read-together.ts";
import { type AnyFact, createWriter, type Reactions } from "./kernel/storage/write.ts";
import type { OpenDatabase } from "./kernel/storage/database.ts";
import { createPublisher, listLoops, mergeOperations, mergeRevisions } from "./merge-modules.ts";
import { type ModuleParts, openModules } from "./modules.ts";
import { listReactions } from "./reactions.ts";
import { createBodyParser } from "./transports/shared/body-parser.ts";
import type { RemoteRules } from "./transports/shared/local-members.ts";
import { createOpenStreams } from "./transports/shared/open-streams.ts";
import { mount, type MountParts } from "./transports/shared/mount.ts";

export interface ApplicationParts extends Omit<ModuleParts, "write" | "writeSoon" | "isWriting" | "streams"> {
  readonly database: OpenDatabase;
  /** Throws if the database file was removed or replaced, because a commit would be lost. */
  readonly requireStorage: () => void;
}

export interface MountOptions extends Partial<RemoteRules>, Pick<MountParts, "refuseUnknown" | "onAnonymousRefused"> {
  readonly transport?: Transport;
}

export type Application = ReturnType<typeof openApplication>;

/** Composes the daemon without its files, its socket and its process. Starts nothing. */
export function openApplication({ requireStorage, ...parts }: ApplicationParts) {
  const { clock, log, version, database } = parts;
  const writer = createWriter<AnyFact>({
    requireStorage,
    sqlite: database.sqlite,
    clock,
    onListenerError: (error) => log.error("listener.failed", { error: describeError(error) }),
  });
  const { write, writeSoon, isWriting } = writer;
  const streams = createOpenStreams();
  const modules = openModules({ ...parts, write, writeSoon, isWriting, streams });
  const walTruncation = createWalTruncation({
    database,
    clock,
    onError: (error) => log.warn("database.log_not_truncated", { error: describeError(error) }),
  });
  const publish = createPublisher(modules, modules.events.hub);
  // safe because modules record only the facts that make up `Fact`
  writer.connect(listReactions(modules, { publish, walTruncation, streams }) as unknown as Reactions<AnyFact>);
  const operations = mergeOperations(modules);
  const gateway = createGateway({
    writeSoon,
    readTogether: createReadTogether(database.sqlite),
    operations,
    access: modules.access.admission,
    audit: modules.audit.service,
    idempotency: modules.idempotency.service,
    revisions: mergeRevisions(modules),
    clock,
    log,
  });
  const bodies = createBodyParser();

  return {
    write,
    modules,
    operations,
    gateway,
    loops: listLoops(modules),
    walTruncation,
    housekeeping: createHousekeeping({ clock, log, write, modules, walTruncation }),
    bodies,
    streams,
    /** Builds the whole API of one transport, for its callers. */
    mountFor: (actorOf: MountParts["actorOf"], { transport = "local", remoteCommands, ...more }: MountOptions = {}) =>
      mount({
        ...more,
        operations: operationsOf(transport),
        base: transport === "local" ? "/v1" : "/api/v1",
        gateway,
        clock,
        version,
        actorOf,
        bodies,
        streams,
        get remoteCommands() {
          return remoteCommands ?? modules.remote.settings.current().commands;
        },
      }),
  };
}

function operationsOf(transport: Transport): readonly Operation[] {
  const all: readonly Operation[] = catalogue;
  return all.filter(({ transports }) => transports.includes(transport));
}
