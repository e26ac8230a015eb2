import type { AnswerOf, BodyOf, OperationById, Schedule } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByAbsence, findOutcomeByPatch, findOutcomeByState } from "../find-outcome.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/schedules`. */
export type ScheduleList = AnswerOf<OperationById<"schedules.list">>;
/** The query of `GET /v1/schedules`. */
export type ScheduleListQuery = QueryOf<"schedules.list">;
/** The body of `POST /v1/schedules`. */
export type ScheduleCreate = BodyOf<OperationById<"schedules.create">>;
/** The body of `PATCH /v1/schedules/{id}`. */
export type SchedulePatch = BodyOf<OperationById<"schedules.update">>;
/** The body of `POST /v1/schedules/{id}/pause`. */
export type SchedulePause = BodyOf<OperationById<"schedules.pause">>;
/** The body of `POST /v1/schedules/preview`. */
export type PreviewRequest = BodyOf<OperationById<"schedules.preview">>;
/** The answer of `POST /v1/schedules/preview`. */
export type Preview = AnswerOf<OperationById<"schedules.preview">>;
/** The answer of `GET /v1/agenda`. */
export type Agenda = AnswerOf<OperationById<"schedules.agenda">>;
/** The query of `GET /v1/agenda`. */
export type AgendaQuery = QueryOf<"schedules.agenda">;

/** Schedules: the times when tasks run. */
export class SchedulesApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists schedules, newest first, 100 per page unless `limit` is given. `GET /v1/schedules` */
  list(query?: ScheduleListQuery, options?: CallOptions): PagePromise<ScheduleList> {
    return this.#caller.list("schedules.list", { query, options });
  }

  /**
   * Creates a schedule of a task: `cron`, `interval`, `once` or `boot`. `POST /v1/schedules`
   *
   * @throws {@link NotFoundError} if the task does not exist
   */
  create(schedule: ScheduleCreate, options?: CreateOptions): ApiPromise<Schedule> {
    return this.#caller.call("schedules.create", { body: schedule, options });
  }

  /**
   * Returns the next scheduled times of a draft or a stored schedule, with local times and notes on daylight saving. It
   * changes nothing. `POST /v1/schedules/preview`
   *
   * @throws {@link NotFoundError} if the schedule does not exist
   */
  preview(request: PreviewRequest, options?: CallOptions): ApiPromise<Preview> {
    return this.#caller.call("schedules.preview", { body: request, options });
  }

  /**
   * Returns one schedule, with `next_run_at`. `GET /v1/schedules/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Schedule> {
    return this.#caller.call("schedules.get", { params: { id }, options });
  }

  /**
   * Changes the given members. The kind cannot change. `PATCH /v1/schedules/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(id: string, patch: SchedulePatch, options?: ChangeOptions): ApiPromise<Schedule> {
    const findOutcome = () => findOutcomeByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("schedules.update", { params: { id }, body: patch, options, findOutcome });
  }

  /**
   * Deletes a schedule. Its runs stay in the history. `DELETE /v1/schedules/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const findOutcome = () => findOutcomeByAbsence(this.get(id));
    return this.#caller.call("schedules.delete", { params: { id }, options, findOutcome });
  }

  /**
   * Enables a schedule. `POST /v1/schedules/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<Schedule> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("schedules.enable", { params: { id }, options, findOutcome });
  }

  /**
   * Disables a schedule: it requests no runs. `POST /v1/schedules/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<Schedule> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("schedules.disable", { params: { id }, options, findOutcome });
  }

  /**
   * Pauses a schedule until a time, or until `resume`. `POST /v1/schedules/{id}/pause`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  pause(id: string, pause: SchedulePause = {}, options?: ChangeOptions): ApiPromise<Schedule> {
    const findOutcome = () =>
      findOutcomeByState(this.get(id), (now) => now.paused && isUntil(now, pause.until ?? null));
    return this.#caller.call("schedules.pause", { params: { id }, body: pause, options, findOutcome });
  }

  /**
   * Ends a pause. `POST /v1/schedules/{id}/resume`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  resume(id: string, options?: ChangeOptions): ApiPromise<Schedule> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => !now.paused);
    return this.#caller.call("schedules.resume", { params: { id }, options, findOutcome });
  }

  /** Returns the scheduled times of all schedules, soonest first. Default: the next 24 hours. `GET /v1/agenda` */
  agenda(query?: AgendaQuery, options?: CallOptions): ApiPromise<Agenda> {
    return this.#caller.call("schedules.agenda", { query, options });
  }
}

/** Compares points in time: the daemon answers in UTC, and callers may use any offset. Null is a pause without an end. */
function isUntil(now: Schedule, until: string | null): boolean {
  if (now.paused_until === null || until === null) return now.paused_until === until;
  return Date.parse(now.paused_until) === Date.parse(until);
}
