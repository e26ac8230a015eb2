import type { AnswerOf, BodyOf, OperationById, Schedule } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import { settleByAbsence, settleByPatch, settleByState } from "../settle.ts";

export type ScheduleList = AnswerOf<OperationById<"schedules.list">>;
export type ScheduleListQuery = QueryOf<"schedules.list">;
export type ScheduleCreate = BodyOf<OperationById<"schedules.create">>;
export type SchedulePatch = BodyOf<OperationById<"schedules.update">>;
export type SchedulePause = BodyOf<OperationById<"schedules.pause">>;
export type PreviewRequest = BodyOf<OperationById<"schedules.preview">>;
export type Preview = AnswerOf<OperationById<"schedules.preview">>;
export type Agenda = AnswerOf<OperationById<"schedules.agenda">>;
export type AgendaQuery = QueryOf<"schedules.agenda">;

/** When tasks run. */
export class SchedulesApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Schedules, newest first, 100 a page unless `limit` is given. `GET /v1/schedules` */
  list(query?: ScheduleListQuery, options?: CallOptions): PagePromise<ScheduleList> {
    return this.#caller.list("schedules.list", { query, options });
  }

  /**
   * Makes a schedule of a task: `cron`, `interval`, `once` or `boot`. `POST /v1/schedules`
   *
   * @throws {@link NotFoundError} where `task_id` names no task
   */
  create(schedule: ScheduleCreate, options?: CreateOptions): ApiPromise<Schedule> {
    return this.#caller.call("schedules.create", { body: schedule, options });
  }

  /**
   * When a draft or an existing schedule will run, with local times and notes on daylight saving. Changes nothing.
   * `POST /v1/schedules/preview`
   *
   * @throws {@link NotFoundError} where `schedule_id` names no schedule
   */
  preview(request: PreviewRequest, options?: CallOptions): ApiPromise<Preview> {
    return this.#caller.call("schedules.preview", { body: request, options });
  }

  /**
   * One schedule, with `next_run_at`. `GET /v1/schedules/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Schedule> {
    return this.#caller.call("schedules.get", { params: { id }, options });
  }

  /**
   * Changes the members that are named; the kind stays. `PATCH /v1/schedules/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  update(id: string, patch: SchedulePatch, options?: ChangeOptions): ApiPromise<Schedule> {
    const settle = () => settleByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("schedules.update", { params: { id }, body: patch, options, settle });
  }

  /**
   * Deletes a schedule; its runs stay in the history. `DELETE /v1/schedules/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const settle = () => settleByAbsence(this.get(id));
    return this.#caller.call("schedules.delete", { params: { id }, options, settle });
  }

  /**
   * Lets a schedule fall due again. `POST /v1/schedules/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<Schedule> {
    const settle = () => settleByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("schedules.enable", { params: { id }, options, settle });
  }

  /**
   * Keeps a schedule from falling due. `POST /v1/schedules/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<Schedule> {
    const settle = () => settleByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("schedules.disable", { params: { id }, options, settle });
  }

  /**
   * Keeps a schedule from falling due until a time, or until `resume` without one. `POST /v1/schedules/{id}/pause`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  pause(id: string, pause: SchedulePause = {}, options?: ChangeOptions): ApiPromise<Schedule> {
    const settle = () => settleByState(this.get(id), (now) => now.paused && isUntil(now, pause.until ?? null));
    return this.#caller.call("schedules.pause", { params: { id }, body: pause, options, settle });
  }

  /**
   * Ends a pause now. `POST /v1/schedules/{id}/resume`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  resume(id: string, options?: ChangeOptions): ApiPromise<Schedule> {
    const settle = () => settleByState(this.get(id), (now) => !now.paused);
    return this.#caller.call("schedules.resume", { params: { id }, options, settle });
  }

  /** What will run over all schedules, soonest first: from now and for a day unless given. `GET /v1/agenda` */
  agenda(query?: AgendaQuery, options?: CallOptions): ApiPromise<Agenda> {
    return this.#caller.call("schedules.agenda", { query, options });
  }
}

/** The instant counts: it is answered in UTC, and may be sent with any offset. Null is a pause without end. */
function isUntil(now: Schedule, until: string | null): boolean {
  if (now.paused_until === null || until === null) return now.paused_until === until;
  return Date.parse(now.paused_until) === Date.parse(until);
}
