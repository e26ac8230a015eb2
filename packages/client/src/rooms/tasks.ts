import type { AnswerOf, BodyOf, OperationById, Run, Task, Why } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import { settleByAbsence, settleByPatch, settleByState } from "../settle.ts";

export type TaskList = AnswerOf<OperationById<"tasks.list">>;
export type TaskListQuery = QueryOf<"tasks.list">;
export type TaskCreate = BodyOf<OperationById<"tasks.create">>;
export type TaskPatch = BodyOf<OperationById<"tasks.update">>;
export type TaskEnvironment = AnswerOf<OperationById<"tasks.environment">>;
export type TaskStandardInput = AnswerOf<OperationById<"tasks.standard_input">>;
export type RunRequest = BodyOf<OperationById<"tasks.run">>;
export type WhyQuery = QueryOf<"tasks.why">;

/** What can be run: a command and how to treat it. */
export class TasksApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Tasks, newest first, 100 a page unless `limit` is given. `GET /v1/tasks` */
  list(query?: TaskListQuery, options?: CallOptions): PagePromise<TaskList> {
    return this.#caller.list("tasks.list", { query, options });
  }

  /**
   * Makes a task: active with a command, else a draft. Durations are texts such as `"90s"`; `environment` and
   * `standard_input` are write-only. `POST /v1/tasks`
   *
   * @throws {@link NotFoundError} where `group_id` names no group
   */
  create(task: TaskCreate, options?: CreateOptions): ApiPromise<Task> {
    return this.#caller.call("tasks.create", { body: task, options });
  }

  /**
   * One task, with `readiness` and the `reason` it could not start now. `GET /v1/tasks/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Task> {
    return this.#caller.call("tasks.get", { params: { id }, options });
  }

  /**
   * Changes the members that are named: `environment` and `labels` merge by name (null removes one), other objects are
   * replaced whole. A command makes a draft active. `PATCH /v1/tasks/{id}`
   *
   * @throws {@link NotFoundError} also where `group_id` names no group
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  update(id: string, patch: TaskPatch, options?: ChangeOptions): ApiPromise<Task> {
    const settle = () => settleByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("tasks.update", { params: { id }, body: patch, options, settle });
  }

  /**
   * Deletes a task and its schedules; its runs stay in the history. `DELETE /v1/tasks/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} while a run of it is queued or running
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const settle = () => settleByAbsence(this.get(id));
    return this.#caller.call("tasks.delete", { params: { id }, options, settle });
  }

  /**
   * Lets a task start again. `POST /v1/tasks/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<Task> {
    const settle = () => settleByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("tasks.enable", { params: { id }, options, settle });
  }

  /**
   * Keeps a task from starting; running ones go on. `POST /v1/tasks/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<Task> {
    const settle = () => settleByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("tasks.disable", { params: { id }, options, settle });
  }

  /**
   * Puts a task away: it starts no more and stays readable. `POST /v1/tasks/{id}/archive`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where its state does not allow it
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  archive(id: string, options?: ChangeOptions): ApiPromise<Task> {
    const settle = () => settleByState(this.get(id), (now) => now.lifecycle === "archived");
    return this.#caller.call("tasks.archive", { params: { id }, options, settle });
  }

  /**
   * Takes an archived task back. `POST /v1/tasks/{id}/restore`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where it is not archived
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  restore(id: string, options?: ChangeOptions): ApiPromise<Task> {
    const settle = () => settleByState(this.get(id), (now) => now.lifecycle !== "archived");
    return this.#caller.call("tasks.restore", { params: { id }, options, settle });
  }

  /**
   * Reveals the task's own environment: secrets, and the audit trail says that you looked. `GET /v1/tasks/{id}/environment`
   *
   * @throws {@link NotFoundError}
   */
  environment(id: string, options?: CallOptions): ApiPromise<TaskEnvironment> {
    return this.#caller.call("tasks.environment", { params: { id }, options });
  }

  /**
   * Reveals the task's standard input, null where it has none; the audit trail says that you looked.
   * `GET /v1/tasks/{id}/standard-input`
   *
   * @throws {@link NotFoundError}
   */
  standardInput(id: string, options?: CallOptions): ApiPromise<TaskStandardInput> {
    return this.#caller.call("tasks.standard_input", { params: { id }, options });
  }

  /**
   * Runs a task now, or at `scheduled_for`; answers the queued run. `POST /v1/tasks/{id}/run`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where the task is not ready, with the reason; no run is made
   */
  run(id: string, request: RunRequest = {}, options?: CreateOptions): ApiPromise<Run> {
    return this.#caller.call("tasks.run", { params: { id }, body: request, options });
  }

  /**
   * Why a task ran or did not, at a time or now, schedule by schedule. `GET /v1/tasks/{id}/why`
   *
   * @throws {@link NotFoundError}
   */
  why(id: string, query?: WhyQuery, options?: CallOptions): ApiPromise<Why> {
    return this.#caller.call("tasks.why", { params: { id }, query, options });
  }
}
