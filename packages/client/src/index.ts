export {
  ApiError,
  type ApiErrorByCode,
  AuditUnavailableError,
  ConflictError,
  CredentialRevokedError,
  ForbiddenError,
  HeadersTooLargeError,
  InternalError,
  isApiError,
  MethodNotAllowedError,
  NotFoundError,
  OriginRejectedError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitedError,
  type Refusal,
  RequestTimeoutError,
  TriggerFireError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  ValidationError,
} from "./api-error.ts";
export type { Answer, ApiPromise } from "./api-promise.ts";
export type { AccessApi, CurrentAccess, Enrollment, EnrollRequest } from "./api/access.ts";
export type { ActorCreate, ActorList, ActorListQuery, ActorPatch, ActorsApi } from "./api/actors.ts";
export type { AuditApi, AuditEventList, AuditExportPage, AuditQuery } from "./api/audit.ts";
export type { BackupCreate, BackupsApi } from "./api/backups.ts";
export type {
  ChainCreate,
  ChainGraph,
  ChainGraphQuery,
  ChainList,
  ChainListQuery,
  ChainPatch,
  ChainsApi,
} from "./api/chains.ts";
export type { CredentialList, CredentialListQuery, CredentialsApi } from "./api/credentials.ts";
export type { RemoteApi, RemoteEnable, RemoteRenew } from "./api/remote.ts";
export type { EventsApi, Resync, SubscribeOptions, Subscription } from "./api/events.ts";
export type { GroupCreate, GroupList, GroupListQuery, GroupPatch, GroupsApi } from "./api/groups.ts";
export type { HealthApi } from "./api/health.ts";
export type { HoldList, HoldListQuery, HoldPlace, HoldRelease, HoldsApi } from "./api/holds.ts";
export type { IdempotencyApi } from "./api/idempotency.ts";
export type { ImportApi, ImportRequest } from "./api/import.ts";
export type { ManifestApi, ManifestPatch } from "./api/manifest.ts";
export type {
  ChannelAssignmentList,
  ChannelAssignmentsQuery,
  NotificationAssignmentsApi,
  NotificationAssignmentsReplace,
} from "./api/notification-assignments.ts";
export type {
  NotificationChannelCreate,
  NotificationChannelList,
  NotificationChannelListQuery,
  NotificationChannelPatch,
  NotificationChannelRotate,
  NotificationChannelsApi,
} from "./api/notification-channels.ts";
export type {
  NotificationDeliveriesApi,
  NotificationDeliveryList,
  NotificationDeliveryListQuery,
  NotificationRedeliverFailed,
} from "./api/notification-deliveries.ts";
export type { OpenApiApi, OpenApiDocument } from "./api/openapi.ts";
export type { PairingCreate, PairingList, PairingListQuery, PairingSecret, PairingsApi } from "./api/pairings.ts";
export type {
  OutputQuery,
  RawOutputQuery,
  RunAttemptList,
  RunFailuresQuery,
  RunList,
  RunListQuery,
  RunsApi,
} from "./api/runs.ts";
export type { RuntimeInfoApi } from "./api/runtime-info.ts";
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
} from "./api/schedules.ts";
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
} from "./api/tasks.ts";
export type { Timeline, TimelineApi, TimelineQuery } from "./api/timeline.ts";
export type {
  TriggerSetCreate,
  TriggerSetList,
  TriggerSetListQuery,
  TriggerSetPatch,
  TriggerSetsApi,
} from "./api/trigger-sets.ts";
export type { TriggerCreate, TriggerList, TriggerListQuery, TriggerPatch, TriggersApi } from "./api/triggers.ts";
export type {
  FilesystemWatcherCreate,
  FilesystemWatcherList,
  FilesystemWatcherListQuery,
  FilesystemWatcherPatch,
  WatchersApi,
} from "./api/watchers.ts";
export { backoffMs } from "./backoff.ts";
export { type Client, createClient } from "./create-client.ts";
export * from "./errors.ts";
export type { Settlement } from "./find-outcome.ts";
export type * from "./live/live-list.ts";
export type { Watch } from "./live/watch.ts";
export { eventKindsOf, type Watchable, type WatchItem, type WatchQuery } from "./live/watchable.ts";
export type * from "./options.ts";
export type { OutputItem } from "./output-item.ts";
export type { OutputLine } from "./output-lines.ts";
export type * from "./page.ts";
export { monitor, type MonitorOptions, type MonitorState, type StopReason } from "./monitor.ts";
export { generateSigningSecret } from "./signing-secret.ts";
export type { Transport } from "./transports/transport.ts";
export {
  GrantReducedError,
  IdentityError,
  isGrantReducedError,
  isIdentityError,
  isTrustError,
  TrustError,
} from "./trust-errors.ts";
export { isUncertainOutcomeError, UncertainOutcomeError } from "./uncertain-outcome-error.ts";
export type {
  Actor,
  AuditChain,
  AuditEvent,
  Chain,
  Credential,
  DurationText,
  ErrorCode,
  EventKind,
  FilesystemWatcher,
  Fired,
  Group,
  Health,
  Hello,
  Hint,
  Hold,
  HoldCause,
  IdempotencyUse,
  ImportResult,
  Manifest,
  ChannelAssignment,
  EffectiveNotifications,
  NotificationAssignment,
  NotificationAssignments,
  NotificationChannel,
  NotificationDelivery,
  NotificationRedelivery,
  Pairing,
  Remote,
  RemoteCertificate,
  FailedTask,
  Run,
  RunFailures,
  RunAttempt,
  RuntimeInfo,
  Schedule,
  Task,
  Trigger,
  TriggerFireCode,
  TriggerSecret,
  TriggerSet,
  TriggerSetSecrets,
  WatcherHealth,
  WebhookPayload,
  Why,
} from "@belfry/contract";
