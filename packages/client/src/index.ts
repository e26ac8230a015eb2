export {
  ApiError,
  type ApiErrorByCode,
  AuditUnavailableError,
  ConflictError,
  ForbiddenError,
  HeadersTooLargeError,
  InternalError,
  isApiError,
  MethodNotAllowedError,
  NotFoundError,
  OriginRejectedError,
  PayloadTooLargeError,
  PreconditionFailedError,
  type Refusal,
  RequestTimeoutError,
  TriggerFireError,
  UnsupportedMediaTypeError,
  ValidationError,
} from "./api-error.ts";
export type { Answer, ApiPromise } from "./api-promise.ts";
export { type Client, createClient } from "./create-client.ts";
export * from "./errors.ts";
export type * from "./options.ts";
export type { OutputItem } from "./output.ts";
export type * from "./page.ts";
export { backoffMs } from "./reconnect.ts";
export type { AuditApi, AuditEventList, AuditQuery } from "./rooms/audit.ts";
export type {
  ChainCreate,
  ChainGraph,
  ChainGraphQuery,
  ChainList,
  ChainListQuery,
  ChainPatch,
  ChainsApi,
} from "./rooms/chains.ts";
export type { EventsApi, Resync, SubscribeOptions, Subscription } from "./rooms/events.ts";
export type { GroupCreate, GroupList, GroupListQuery, GroupPatch, GroupsApi } from "./rooms/groups.ts";
export type { HealthApi } from "./rooms/health.ts";
export type { IdempotencyApi } from "./rooms/idempotency.ts";
export type { ImportApi, ImportRequest } from "./rooms/import.ts";
export type { ManifestApi, ManifestPatch } from "./rooms/manifest.ts";
export type { NotificationAssignmentsApi, NotificationAssignmentsReplace } from "./rooms/notification-assignments.ts";
export type {
  NotificationChannelCreate,
  NotificationChannelList,
  NotificationChannelListQuery,
  NotificationChannelPatch,
  NotificationChannelRotate,
  NotificationChannelsApi,
} from "./rooms/notification-channels.ts";
export type {
  NotificationDeliveriesApi,
  NotificationDeliveryList,
  NotificationDeliveryListQuery,
  NotificationRedeliverFailed,
} from "./rooms/notification-deliveries.ts";
export type { OpenApiApi, OpenApiDocument } from "./rooms/openapi.ts";
export type { OutputQuery, RawOutputQuery, RunList, RunListQuery, RunsApi } from "./rooms/runs.ts";
export type { RuntimeInfoApi } from "./rooms/runtime-info.ts";
export type {
  Agenda,
  AgendaQuery,
  Preview,
  PreviewRequest,
  ScheduleCreate,
  ScheduleList,
  ScheduleListQuery,
  SchedulePatch,
  SchedulePause,
  SchedulesApi,
} from "./rooms/schedules.ts";
export type {
  RunRequest,
  TaskCreate,
  TaskEnvironment,
  TaskList,
  TaskListQuery,
  TaskPatch,
  TasksApi,
  TaskStandardInput,
  WhyQuery,
} from "./rooms/tasks.ts";
export type {
  TriggerSetCreate,
  TriggerSetList,
  TriggerSetListQuery,
  TriggerSetPatch,
  TriggerSetsApi,
} from "./rooms/trigger-sets.ts";
export type { TriggerCreate, TriggerList, TriggerListQuery, TriggerPatch, TriggersApi } from "./rooms/triggers.ts";
export type { Settlement } from "./settle.ts";
export { generateSigningSecret } from "./signing-secret.ts";
export type { Transport } from "./transports/transport.ts";
export { isUncertainOutcomeError, UncertainOutcomeError } from "./uncertain.ts";
export type {
  AuditEvent,
  Chain,
  ErrorCode,
  EventKind,
  Fired,
  Group,
  Health,
  Hello,
  Hint,
  IdempotencyUse,
  ImportResult,
  Manifest,
  EffectiveNotifications,
  NotificationAssignment,
  NotificationAssignments,
  NotificationChannel,
  NotificationDelivery,
  NotificationRedelivery,
  Run,
  RuntimeInfo,
  Schedule,
  Task,
  Trigger,
  TriggerFireCode,
  TriggerSecret,
  TriggerSet,
  TriggerSetSecrets,
  WebhookPayload,
  Why,
} from "@belfry/contract";
