import type { OperationId } from "@belfry/contract";
import { AccessApi } from "./api/access.ts";
import { ActorsApi } from "./api/actors.ts";
import { AuditApi } from "./api/audit.ts";
import { BackupsApi } from "./api/backups.ts";
import { ChainsApi } from "./api/chains.ts";
import { CredentialsApi } from "./api/credentials.ts";
import { EventsApi } from "./api/events.ts";
import { GroupsApi } from "./api/groups.ts";
import { HealthApi } from "./api/health.ts";
import { HoldsApi } from "./api/holds.ts";
import { IdempotencyApi } from "./api/idempotency.ts";
import { ImportApi } from "./api/import.ts";
import { ManifestApi } from "./api/manifest.ts";
import { NotificationAssignmentsApi } from "./api/notification-assignments.ts";
import { NotificationChannelsApi } from "./api/notification-channels.ts";
import { NotificationDeliveriesApi } from "./api/notification-deliveries.ts";
import { OpenApiApi } from "./api/openapi.ts";
import { PairingsApi } from "./api/pairings.ts";
import { RemoteApi } from "./api/remote.ts";
import { RunsApi } from "./api/runs.ts";
import { RuntimeInfoApi } from "./api/runtime-info.ts";
import { SchedulesApi } from "./api/schedules.ts";
import { TasksApi } from "./api/tasks.ts";
import { TimelineApi } from "./api/timeline.ts";
import { TriggerSetsApi } from "./api/trigger-sets.ts";
import { TriggersApi } from "./api/triggers.ts";
import { WatchersApi } from "./api/watchers.ts";
import { Caller } from "./caller.ts";
import { createWatch, type Watch } from "./live/watch.ts";
import type { ClientOptions } from "./options.ts";

/** All operations of a daemon, by resource. */
export interface Client {
  readonly health: HealthApi;
  readonly manifest: ManifestApi;
  readonly runtimeInfo: RuntimeInfoApi;
  readonly openapi: OpenApiApi;
  readonly groups: GroupsApi;
  readonly holds: HoldsApi;
  readonly tasks: TasksApi;
  readonly schedules: SchedulesApi;
  readonly timeline: TimelineApi;
  readonly runs: RunsApi;
  readonly triggers: TriggersApi;
  readonly triggerSets: TriggerSetsApi;
  readonly watchers: WatchersApi;
  readonly chains: ChainsApi;
  readonly notificationChannels: NotificationChannelsApi;
  readonly notificationAssignments: NotificationAssignmentsApi;
  readonly notificationDeliveries: NotificationDeliveriesApi;
  readonly import: ImportApi;
  readonly events: EventsApi;
  readonly actors: ActorsApi;
  readonly credentials: CredentialsApi;
  readonly pairings: PairingsApi;
  readonly access: AccessApi;
  readonly remote: RemoteApi;
  readonly backups: BackupsApi;
  readonly audit: AuditApi;
  readonly idempotency: IdempotencyApi;
  readonly watch: Watch;
}

/** Creates a client for any transport. For the daemon on this machine, use `connectLocal` from `@belfry/client/local`. */
export function createClient(options: ClientOptions): Client {
  return createApis(new Caller(options));
}

/** Creates the methods of all resources, whose calls `caller` sends. */
export function createApis(caller: Caller): Client {
  return {
    health: new HealthApi(caller),
    manifest: new ManifestApi(caller),
    runtimeInfo: new RuntimeInfoApi(caller),
    openapi: new OpenApiApi(caller),
    groups: new GroupsApi(caller),
    holds: new HoldsApi(caller),
    tasks: new TasksApi(caller),
    schedules: new SchedulesApi(caller),
    timeline: new TimelineApi(caller),
    runs: new RunsApi(caller),
    triggers: new TriggersApi(caller),
    triggerSets: new TriggerSetsApi(caller),
    watchers: new WatchersApi(caller),
    chains: new ChainsApi(caller),
    notificationChannels: new NotificationChannelsApi(caller),
    notificationAssignments: new NotificationAssignmentsApi(caller),
    notificationDeliveries: new NotificationDeliveriesApi(caller),
    import: new ImportApi(caller),
    events: new EventsApi(caller),
    actors: new ActorsApi(caller),
    credentials: new CredentialsApi(caller),
    pairings: new PairingsApi(caller),
    access: new AccessApi(caller),
    remote: new RemoteApi(caller),
    backups: new BackupsApi(caller),
    audit: new AuditApi(caller),
    idempotency: new IdempotencyApi(caller),
    watch: createWatch(caller),
  };
}

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type MethodNames = { [R in keyof Client]: `${R}.${Extract<keyof Client[R], string>}` }[keyof Client];
/** Methods without an operation of their own: other forms of `runs.output` and `audit.export`, and several calls in one. */
type ExtraMethods =
  | "runs.outputBytes"
  | "runs.outputText"
  | "runs.outputLines"
  | "runs.wait"
  | "tasks.runAndWait"
  | `${"tasks" | "groups" | "triggers" | "triggerSets" | "watchers" | "notificationChannels" | "actors"}.find`
  | "audit.exportPage";
type MustBeNever<T extends never> = T;

/** Compiles only if every operation has a method and every method has an operation. Otherwise the error names the missing one. */
export type Completeness = [
  MustBeNever<Exclude<Camel<OperationId>, MethodNames>>,
  MustBeNever<Exclude<MethodNames, Camel<OperationId> | ExtraMethods>>,
];
