import { openAccess, type Streams } from "./features/access/index.ts";
import { openAssignments } from "./features/assignments/index.ts";
import { openAudit } from "./features/audit/index.ts";
import { openBackups } from "./features/backups/index.ts";
import { openChains } from "./features/chains/index.ts";
import { openChannels } from "./features/channels/index.ts";
import { openDeliveries } from "./features/deliveries/index.ts";
import { findMissingTool, openAvailability, openEngine, type OpenRunners } from "./features/engine/index.ts";
import { openEvents } from "./features/events/index.ts";
import { openGroups } from "./features/groups/index.ts";
import { openHolds } from "./features/holds/index.ts";
import { openHealth } from "./features/health/index.ts";
import { openIdempotency } from "./features/idempotency/index.ts";
import { openImports } from "./features/import/index.ts";
import { openManifest } from "./features/manifest/index.ts";
import { openOpenapi } from "./features/openapi/index.ts";
import { createRemoteSettings, openRemote } from "./features/remote/index.ts";
import { openRunHistories, openRunRows, openRuns } from "./features/runs/index.ts";
import { openRuntimeInfo } from "./features/runtime-info/index.ts";
import { checkZone, openScheduleRows, openSchedules } from "./features/schedules/index.ts";
import { openTasks, type TaskRow } from "./features/tasks/index.ts";
import { openTimeline } from "./features/timeline/index.ts";
import { openTriggerSetRows, openTriggerSets } from "./features/trigger-sets/index.ts";
import { openTriggers } from "./features/triggers/index.ts";
import { openWatchers } from "./features/watchers/index.ts";
import { openWhy } from "./features/why/index.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import type { DiskWatch } from "./kernel/files/disk-watch.ts";
import type { FactOf, Module } from "./kernel/module.ts";
import { createSealedEnvironments } from "./kernel/secrets/sealed-environment.ts";
import type { Sealing } from "./kernel/secrets/secrets.ts";
import type { OpenDatabase } from "./kernel/storage/database.ts";
import type { AnyFact, Write, WriteSoon } from "./kernel/storage/write.ts";

export interface ModuleParts extends DaemonParts {
  readonly database: Pick<OpenDatabase, "db">;
  readonly sealing: Sealing;
  readonly write: Write<AnyFact>;
  readonly writeSoon: WriteSoon<AnyFact>;
  readonly isWriting: () => boolean;
  readonly listBroken: DiskWatch["listBroken"];
  /** The open streams of all transports. */
  readonly streams: Streams;
  readonly auditKept?: number | undefined;
  /** A test may simulate the runners. */
  readonly openRunners?: OpenRunners | undefined;
}

export type Modules = ReturnType<typeof openModules>;
/** Every fact that a module can record. */
export type Fact = FactOf<Modules[keyof Modules]>;

/** Opens every module and gives it the modules it needs. A module comes after those it needs. */
export function openModules({ database: { db }, ...parts }: ModuleParts) {
  const { config, sealing, log, clock } = parts;
  const { paths, zone, webhooks } = config;
  const base = { ...parts, db };
  const environments = createSealedEnvironments(sealing);
  const availability = openAvailability();
  // opened first, because tasks ask whether a queue is full, and show their latest and next runs, and triggers ask for the name of their set
  const histories = openRunHistories(db, parts.isWriting);
  const runRows = openRunRows(db, histories.forget);
  const scheduleRows = openScheduleRows(db);
  const setRows = openTriggerSetRows(db);
  const isDispatchAvailable = (task: TaskRow): boolean =>
    availability.isAvailable() && (!runRows.isQueueFull(task.id) || runs.replacement.replacesQueued(task));

  // the manifest says whether the remote API is enabled, which the module of that API reads from the manifest's identity
  const remoteSettings = createRemoteSettings(config.remote);
  const manifest = openManifest({ ...base, isRemoteEnabled: remoteSettings.isEnabled });
  const events = openEvents({ clock, capabilities: manifest.service.capabilities });
  const groups = openGroups({ db, environments, checkZone });
  const holds = openHolds({ ...base, groups: groups.service });
  const tasks = openTasks({
    db,
    holds: holds.service,
    clock,
    log,
    sealing,
    environments,
    account: { ...config.account, findMissingTool },
    isDispatchAvailable,
    readHistories: histories.readHistories,
    findNextRun: scheduleRows.findNextRun,
    groups: groups.service,
    publish: events.hub.publish,
  });
  const { runsAtOnceMax } = config;
  const { isFromElsewhere } = holds.service;
  const runRules = { runsAtOnceMax, isFromElsewhere, ...availability };
  const runs = openRuns({ db, clock, log, store: runRows, tasks: tasks.service, ...runRules });
  const started = {
    tasks: tasks.service,
    runs: runs.store,
    requests: runs.requests,
    replacement: runs.replacement,
    pauses: runs.pauses,
    lifecycle: runs.lifecycle,
    describeRun: runs.describe,
  };
  const engine = openEngine({ ...base, ...started, availability });
  const { releaseExpired } = holds.releaseLoop;
  const schedules = openSchedules({ ...base, ...started, store: scheduleRows, zone, releaseExpired });
  const triggers = openTriggers({
    ...started,
    db,
    sealing,
    socket: config.fireSocket?.path ?? paths.socket,
    setNameOf: setRows.nameOf,
  });
  const triggerSets = openTriggerSets({
    store: setRows,
    tasks: tasks.service,
    triggers: triggers.service,
    members: triggers.members,
  });
  const chains = openChains({ ...started, db });
  const watchers = openWatchers({ ...base, ...started, publish: events.hub.publish });
  const why = openWhy({
    tasks: tasks.service,
    explainSchedules: schedules.explain,
    explainChains: chains.explain,
    explainWatchers: watchers.explain,
    explainTriggers: triggers.explain,
    explainManual: runs.explain,
    explainLimit: runs.explainLimit,
  });
  const timeline = openTimeline({
    db,
    listComing: schedules.listComing,
    readUsualDurations: histories.readUsualDurations,
  });
  const channels = openChannels({ db, sealing, rules: webhooks });
  const notified = { channels: channels.service, secrets: channels.secrets };
  const assignments = openAssignments({ db, ...notified, groups: groups.service, tasks: tasks.service });
  const deliveries = openDeliveries({
    ...base,
    ...started,
    ...notified,
    webhooks,
    assignments: assignments.service,
    isHeld: isFromElsewhere,
  });
  const remote = openRemote({ ...base, settings: remoteSettings, manifest: manifest.service });
  return {
    manifest,
    events,
    groups,
    holds,
    tasks,
    runs,
    engine,
    schedules,
    triggers,
    triggerSets,
    chains,
    watchers,
    why,
    timeline,
    channels,
    assignments,
    deliveries,
    imports: openImports({ db, groups: groups.service, tasks: tasks.service, schedules: schedules.service }),
    remote,
    backups: openBackups({
      paths,
      version: parts.version,
      identity: () => manifest.service.view().installation_id,
    }),
    access: openAccess({
      ...base,
      publish: events.hub.publish,
      identity: () => manifest.service.view().installation_id,
      trust: remote.trust,
    }),
    audit: openAudit(base),
    idempotency: openIdempotency(base),
    health: openHealth(),
    openapi: openOpenapi(),
    runtimeInfo: openRuntimeInfo({
      paths,
      fireSocket: config.fireSocket,
      listBroken: parts.listBroken,
      privateKey: () => (remote.settings.isEnabled() ? remote.settings.current().key : null),
      listSilentRunners: engine.service.listSilentRunners,
      listHeldOutputs: engine.service.listHeldOutputs,
      listPausedStarts: () =>
        engine.service.listPausedStarts().flatMap(({ attempt, ...pause }) => {
          const run = runRows.findByAttempt(attempt);
          return run === undefined ? [] : [{ runId: run.id, ...pause }];
        }),
    }),
  } satisfies Readonly<Record<string, Module>>;
}
