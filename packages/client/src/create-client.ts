import type { OperationId } from "@belfry/contract";
import { Caller } from "./caller.ts";
import type { ClientOptions } from "./options.ts";
import { AuditApi } from "./rooms/audit.ts";
import { ChainsApi } from "./rooms/chains.ts";
import { EventsApi } from "./rooms/events.ts";
import { GroupsApi } from "./rooms/groups.ts";
import { HealthApi } from "./rooms/health.ts";
import { IdempotencyApi } from "./rooms/idempotency.ts";
import { ImportApi } from "./rooms/import.ts";
import { ManifestApi } from "./rooms/manifest.ts";
import { NotificationAssignmentsApi } from "./rooms/notification-assignments.ts";
import { NotificationChannelsApi } from "./rooms/notification-channels.ts";
import { NotificationDeliveriesApi } from "./rooms/notification-deliveries.ts";
import { OpenApiApi } from "./rooms/openapi.ts";
import { RunsApi } from "./rooms/runs.ts";
import { RuntimeInfoApi } from "./rooms/runtime-info.ts";
import { SchedulesApi } from "./rooms/schedules.ts";
import { TasksApi } from "./rooms/tasks.ts";
import { TriggerSetsApi } from "./rooms/trigger-sets.ts";
import { TriggersApi } from "./rooms/triggers.ts";

/** All a daemon can be asked, by subject. It holds no connection, so there is nothing to close. */
export interface Client {
  readonly health: HealthApi;
  readonly manifest: ManifestApi;
  readonly runtimeInfo: RuntimeInfoApi;
  readonly openapi: OpenApiApi;
  readonly groups: GroupsApi;
  readonly tasks: TasksApi;
  readonly schedules: SchedulesApi;
  readonly runs: RunsApi;
  readonly triggers: TriggersApi;
  readonly triggerSets: TriggerSetsApi;
  readonly chains: ChainsApi;
  readonly notificationChannels: NotificationChannelsApi;
  readonly notificationAssignments: NotificationAssignmentsApi;
  readonly notificationDeliveries: NotificationDeliveriesApi;
  readonly import: ImportApi;
  readonly events: EventsApi;
  readonly audit: AuditApi;
  readonly idempotency: IdempotencyApi;
}

/** A client over any transport; `connectLocal` of `@belfry/client/local` makes one over the daemon's socket. */
export function createClient(options: ClientOptions): Client {
  const caller = new Caller(options);
  return {
    health: new HealthApi(caller),
    manifest: new ManifestApi(caller),
    runtimeInfo: new RuntimeInfoApi(caller),
    openapi: new OpenApiApi(caller),
    groups: new GroupsApi(caller),
    tasks: new TasksApi(caller),
    schedules: new SchedulesApi(caller),
    runs: new RunsApi(caller),
    triggers: new TriggersApi(caller),
    triggerSets: new TriggerSetsApi(caller),
    chains: new ChainsApi(caller),
    notificationChannels: new NotificationChannelsApi(caller),
    notificationAssignments: new NotificationAssignmentsApi(caller),
    notificationDeliveries: new NotificationDeliveriesApi(caller),
    import: new ImportApi(caller),
    events: new EventsApi(caller),
    audit: new AuditApi(caller),
    idempotency: new IdempotencyApi(caller),
  };
}

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type MethodNames = { [R in keyof Client]: `${R}.${Extract<keyof Client[R], string>}` }[keyof Client];
/** Other forms of `runs.output`. */
type Conveniences = "runs.outputBytes" | "runs.outputText";
type Nothing<T extends never> = T;

/** Does not compile, and names what is wrong, when an operation has no method or a method no operation. */
export type Completeness = [
  Nothing<Exclude<Camel<OperationId>, MethodNames>>,
  Nothing<Exclude<MethodNames, Camel<OperationId> | Conveniences>>,
];
