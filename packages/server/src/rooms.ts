import { hostname } from "node:os";
import { createChainReactions, createChains, createChainStore, createChainWhy } from "./features/chains/index.ts";
import { createEngine } from "./features/engine/index.ts";
import { type Hub } from "./features/events/index.ts";
import { createGroups, createGroupStore, type Groups } from "./features/groups/index.ts";
import { createImports, createImportStore } from "./features/import/index.ts";
import { type ManifestRoom } from "./features/manifest/index.ts";
import { createAssignments, createAssignmentStore } from "./features/assignments/index.ts";
import {
  createChannels,
  createChannelSecrets,
  createChannelStore,
  createFormerSecretStore,
} from "./features/channels/index.ts";
import {
  createDeliverer,
  createDeliveries,
  createDeliveryReactions,
  createDeliveryStore,
  createRedeliveries,
  createRedeliveryStore,
  createSender,
} from "./features/deliveries/index.ts";
import {
  createLifecycle,
  createQueueDepth,
  createRequests,
  createRetention,
  createRunReactions,
  createRunStore,
} from "./features/runs/index.ts";
import {
  checkZone,
  createPlanner,
  createScheduleReactions,
  createSchedules,
  createScheduleStore,
  createTicker,
  createTimings,
} from "./features/schedules/index.ts";
import { createTasks, createTaskStore } from "./features/tasks/index.ts";
import { createTriggerSets, createTriggerSetStore } from "./features/trigger-sets/index.ts";
import {
  createFire,
  createKeys,
  createMembers,
  createTriggers,
  createTriggerStore,
  fireCommand,
} from "./features/triggers/index.ts";
import { systemClock } from "./kernel/time/clock.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import type { OpenDatabase } from "./kernel/storage/database.ts";
import { describeError } from "./kernel/errors/errors.ts";
import { createLogTruncation } from "./kernel/storage/wal-truncation.ts";
import { createSealedEnvironments } from "./kernel/secrets/sealed-environment.ts";
import type { Sealing } from "./kernel/secrets/secrets.ts";
import { createWriter } from "./kernel/storage/write.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { afterCommit, type Fact, inTransaction } from "./reactions.ts";
import { logRun } from "./run-log.ts";
import { join } from "node:path";

export interface RoomParts extends DaemonParts {
  readonly database: OpenDatabase;
  readonly sealing: Sealing;
  readonly hub: Hub;
  readonly manifest: ManifestRoom;
  readonly requireStorage: () => void;
}

export type Rooms = ReturnType<typeof buildRooms>;

/** Every room, each with only what it may open. Engine and ticker are told of before they exist: commits come later. */
export function buildRooms(parts: RoomParts) {
  const { clock, log, config, database, sealing, hub, manifest, bootId } = parts;
  const { db, sqlite } = database;
  const environments = createSealedEnvironments(sealing);
  const taskStore = createTaskStore(db);
  const runStore = createRunStore(db);
  const scheduleStore = createScheduleStore(db);
  const chainStore = createChainStore(db);
  const queueDepth = createQueueDepth(runStore);

  const groups: Groups = createGroups({
    store: createGroupStore(db),
    environments,
    hasTasks: taskStore.hasTaskIn,
    checkZone,
  });
  const tasks = createTasks({
    store: taskStore,
    groups,
    environments,
    sealing,
    isDispatchAvailable: (taskId) => engine.isAvailable() && !queueDepth.isFull(taskId),
  });
  const requests = createRequests({ store: runStore, tasks });
  const lifecycle = createLifecycle({ store: runStore, tasks, host: hostname() });
  const retention = createRetention({ store: runStore, tasks });
  const timings = createTimings();
  const planner = createPlanner({ tasks, timings, zone: config.zone });
  const schedules = createSchedules({ store: scheduleStore, tasks, planner, timings, bootId });
  const chains = createChains({ store: chainStore, tasks });
  const imports = createImports({ store: createImportStore(db), groups, tasks, schedules });

  const triggerStore = createTriggerStore(db);
  const triggerSetStore = createTriggerSetStore(db);
  const keyed = { store: triggerStore, keys: createKeys(sealing), command: fireCommand(config.paths.socket) };
  const triggers = createTriggers({ ...keyed, tasks, setNameOf: triggerSetStore.nameOf });
  const triggerSets = createTriggerSets({
    store: triggerSetStore,
    tasks,
    triggers,
    members: createMembers(keyed),
  });
  const fire = createFire({ store: triggerStore, tasks, requests, runs: runStore });
  const secrets = createChannelSecrets(sealing, createFormerSecretStore(db));
  const channelStore = createChannelStore(db);
  const deliveryStore = createDeliveryStore(db);
  const deliveries = createDeliveries({
    store: deliveryStore,
    channels: channelStore,
    secrets,
    version: parts.version,
  });
  const assignments = createAssignments({ store: createAssignmentStore(db), channels: channelStore, tasks, groups });
  const channels = createChannels({
    store: channelStore,
    secrets,
    rules: config.webhooks,
  });

  const redeliveries = createRedeliveries({
    log,
    store: createRedeliveryStore(db),
    failed: deliveryStore,
    deliveries,
    secrets,
    channels,
  });

  const reactions = inTransaction({
    runs: createRunReactions(runStore),
    schedules: createScheduleReactions(schedules),
    chains: createChainReactions({ chains, store: chainStore, tasks, requests, runs: runStore }),
    retention,
    triggers,
    triggerSets,
    channels,
    assignments,
    deliveries,
    deliveryReactions: createDeliveryReactions({
      log,
      channels: channelStore,
      assignments,
      deliveries,
      runs: runStore,
      tasks,
    }),
  });
  const { write, writeSoon } = createWriter<Fact>({
    requireStorage: parts.requireStorage,
    sqlite,
    clock,
    inTransaction: reactions,
    get afterCommit() {
      return tells;
    },
    onTellError: (error) => log.error("tell.failed", { error: describeError(error) }),
  });
  const engine = createEngine({
    clock,
    processClock: systemClock,
    log,
    write,
    store: runStore,
    tasks,
    lifecycle,
    bootId,
    umask: parts.umask,
    openFilesMax: parts.openFilesMax ?? null,
    dataDir: config.paths.dataDir,
    runnerLog: join(config.paths.logDir, "runner.log"),
    runsAtOnceMax: config.runsAtOnceMax,
    baseEnvironment: config.baseEnvironment,
    homeDirectory: config.homeDirectory,
  });
  const { startIn } = engine;
  const ticker = createTicker({ clock, log, write, store: scheduleStore, tasks, planner, requests, bootId, startIn });
  const deliverer = createDeliverer({
    clock,
    processClock: systemClock,
    log,
    write,
    store: deliveryStore,
    deliveries,
    secrets,
    sender: createSender({ clock, version: parts.version, ...config.webhooks }),
  });
  const logTruncation = createLogTruncation({
    database,
    clock,
    onError: (error) => log.warn("database.log_not_truncated", { error: describeError(error) }),
  });
  const housekeeping = createHousekeeping({ clock, log, write, retention, engine, channels, logTruncation });
  const tells = afterCommit({
    clock,
    hub,
    groups,
    tasks,
    schedules,
    triggers,
    manifest,
    engine,
    ticker,
    chains,
    runs: runStore,
    queueDepth,
    channels,
    deliveries,
    deliverer,
    logTruncation,
    onRun: logRun(log, runStore),
  });

  return {
    write,
    writeSoon,
    engine,
    ticker,
    deliverer,
    logTruncation,
    housekeeping,
    channels,
    assignments,
    deliveries,
    redeliveries,
    groups,
    tasks,
    schedules,
    triggers,
    triggerSets,
    fire,
    chains,
    whyOfChains: createChainWhy({ store: chainStore, runs: runStore }),
    imports,
    requests,
    lifecycle,
    planner,
    runStore,
    scheduleStore,
    isEmpty: (): boolean => tasks.list({}, { limit: 1, after: null }).length === 0,
    revisionOf: {
      group: (id: string) => groups.find(id)?.revision,
      task: (id: string) => tasks.find(id)?.revision,
      schedule: (id: string) => schedules.find(id)?.revision,
      trigger: (id: string) => triggers.find(id)?.revision,
      trigger_set: (id: string) => triggerSets.find(id)?.revision,
      chain: (id: string) => chains.find(id)?.revision,
      manifest: () => manifest.revision(),
      notification_channel: (id: string) => channels.find(id)?.revision,
      notification_assignment: assignments.revisionOf,
    },
  };
}
