import type { AnswerOf, BodyOf, OperationById, Run, Task, Why } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByAbsence, findOutcomeByPatch, findOutcomeByState } from "../find-outcome.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import { findByName } from "../find-by-name.ts";
import type { PagePromise } from "../page.ts";
import { tracing } from "../stack-trace.ts";
import { waitForRun } from "../wait-for-run.ts";

/** The answer of `GET /v1/tasks`. */
export type TaskList = AnswerOf<OperationById<"tasks.list">>;
/** The query of `GET /v1/tasks`. */
export type TaskListQuery = QueryOf<"tasks.list">;
/** The body of `POST /v1/tasks`. */
export type TaskCreate = BodyOf<OperationById<"tasks.create">>;
/** The body of `PATCH /v1/tasks/{id}`. */
export type TaskPatch = BodyOf<OperationById<"tasks.update">>;
/** The answer of `GET /v1/tasks/{id}/environment`. */
export type TaskEnvironment = AnswerOf<OperationById<"tasks.environment">>;
/** The answer of `GET /v1/tasks/{id}/standard-input`. */
export type TaskStandardInput = AnswerOf<OperationById<"tasks.standard_input">>;
/** The body of `POST /v1/tasks/{id}/run`. */
export type RunRequest = BodyOf<OperationById<"tasks.run">>;
/** The query of `GET /v1/tasks/{id}/why`. */
export type WhyQuery = QueryOf<"tasks.why">;

/** Tasks: commands, and how to run them. */
export class TasksApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists tasks, newest first, 100 per page unless `limit` is given. `GET /v1/tasks` */
  list(query?: TaskListQuery, options?: CallOptions): PagePromise<TaskList> {
    return this.#caller.list("tasks.list", { query, options });
  }

  /**
   * Creates a task: active with a command, otherwise a draft. Durations are strings such as `"90s"`. `environment` and
   * `standard_input` are write-only. `POST /v1/tasks`
   *
   * @throws {@link NotFoundError} if the group does not exist
   */
  create(task: TaskCreate, options?: CreateOptions): ApiPromise<Task> {
    return this.#caller.call("tasks.create", { body: task, options });
  }

  /**
   * Returns one task. `readiness` says whether it can start now, and `reason` why not. `GET /v1/tasks/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Task> {
    return this.#caller.call("tasks.get", { params: { id }, options });
  }

  /**
   * Finds a task by its exact name, or by `group/name`; `/name` is a task in no group. Returns null if there is none.
   *
   * @throws {@link BelfryError} if tasks of several groups have the name
   */
  find(name: string, options?: CallOptions): Promise<Task | null> {
    return findByName(this, name, options);
  }

  /**
   * Changes the given members. `environment` and `labels` merge by name, and null removes an entry; other objects are replaced
   * whole. A command makes a draft active. `PATCH /v1/tasks/{id}`
   *
   * @throws {@link NotFoundError} also if the group does not exist
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(id: string, patch: TaskPatch, options?: ChangeOptions): ApiPromise<Task> {
    const findOutcome = () => findOutcomeByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("tasks.update", { params: { id }, body: patch, options, findOutcome });
  }

  /**
   * Deletes a task with its schedules and chains. Its runs stay in the history. `DELETE /v1/tasks/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the task has queued or active runs
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const findOutcome = () => findOutcomeByAbsence(this.get(id));
    return this.#caller.call("tasks.delete", { params: { id }, options, findOutcome });
  }

  /**
   * Enables a task: it can start again. `POST /v1/tasks/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<Task> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("tasks.enable", { params: { id }, options, findOutcome });
  }

  /**
   * Disables a task: it does not start. Active runs continue. `POST /v1/tasks/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<Task> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("tasks.disable", { params: { id }, options, findOutcome });
  }

  /**
   * Archives a task: it does not start, and stays readable. `POST /v1/tasks/{id}/archive`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the task is already archived
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  archive(id: string, options?: ChangeOptions): ApiPromise<Task> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.lifecycle === "archived");
    return this.#caller.call("tasks.archive", { params: { id }, options, findOutcome });
  }

  /**
   * Restores an archived task. `POST /v1/tasks/{id}/restore`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the task is not archived
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  restore(id: string, options?: ChangeOptions): ApiPromise<Task> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.lifecycle !== "archived");
    return this.#caller.call("tasks.restore", { params: { id }, options, findOutcome });
  }

  /**
   * Reveals the task's own environment, which may contain secrets. The audit trail records the call. `GET /v1/tasks/{id}/environment`
   *
   * @throws {@link NotFoundError}
   */
  environment(id: string, options?: CallOptions): ApiPromise<TaskEnvironment> {
    return this.#caller.call("tasks.environment", { params: { id }, options });
  }

  /**
   * Reveals the task's standard input: null if the task has none. The audit trail records the call.
   * `GET /v1/tasks/{id}/standard-input`
   *
   * @throws {@link NotFoundError}
   */
  standardInput(id: string, options?: CallOptions): ApiPromise<TaskStandardInput> {
    return this.#caller.call("tasks.standard_input", { params: { id }, options });
  }

  /**
   * Requests a run now, or at `scheduled_for`, and returns it. `POST /v1/tasks/{id}/run`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the task is not ready; the message has the reason, and no run is created
   */
  run(id: string, request: RunRequest = {}, options?: CreateOptions): ApiPromise<Run> {
    return this.#caller.call("tasks.run", { params: { id }, body: request, options });
  }

  /**
   * Requests a run, and waits until it has ended, with all its attempts. A run that failed is returned too: check `outcome`.
   *
   * ```ts
   * const run = await client.tasks.runAndWait(task.id);
   * if (run.outcome !== "success") console.error(`The run ${run.reason_text}.`);
   * ```
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the task is not ready; the message has the reason, and no run is created
   * @throws {@link AbortError} if `signal` is aborted before the end; a run that was created continues
   */
  runAndWait(id: string, request: RunRequest = {}, options?: CreateOptions): Promise<Run> {
    const runEnds = async (): Promise<Run> => {
      const run = await this.run(id, request, options);
      return waitForRun(this.#caller, run.id, options);
    };
    return tracing(runEnds());
  }

  /**
   * Explains why the task did or did not run at a given time (default: now), for each of its schedules, chains and watchers.
   * `GET /v1/tasks/{id}/why`
   *
   * @throws {@link NotFoundError}
   */
  why(id: string, query?: WhyQuery, options?: CallOptions): ApiPromise<Why> {
    return this.#caller.call("tasks.why", { params: { id }, query, options });
  }
}
