import type {
  AnswerOf,
  BodyOf,
  EffectiveNotifications,
  NotificationAssignments,
  OperationById,
} from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByState } from "../find-outcome.ts";
import type { CallOptions, ChangeOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

/** The body of `PUT /v1/tasks/{id}/notifications`. */
export type NotificationAssignmentsReplace = BodyOf<OperationById<"notification_assignments.replace_of_task">>;

/** The answer of `GET /v1/notification-channels/{id}/assignments`. */
export type ChannelAssignmentList = AnswerOf<OperationById<"notification_assignments.of_channel">>;
/** The query of `GET /v1/notification-channels/{id}/assignments`. */
export type ChannelAssignmentsQuery = QueryOf<"notification_assignments.of_channel">;

/** Assignments: the channels and outcomes of each task and group. */
export class NotificationAssignmentsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Returns a task's own assignments, without inherited ones. `GET /v1/tasks/{id}/notifications`
   *
   * @throws {@link NotFoundError}
   */
  ofTask(id: string, options?: CallOptions): ApiPromise<NotificationAssignments> {
    return this.#caller.call("notification_assignments.of_task", { params: { id }, options });
  }

  /**
   * Replaces all of a task's own assignments. With an empty list, the task inherits again. `PUT /v1/tasks/{id}/notifications`
   *
   * @throws {@link NotFoundError} if the task or a channel does not exist
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  replaceOfTask(
    id: string,
    body: NotificationAssignmentsReplace,
    options?: ChangeOptions,
  ): ApiPromise<NotificationAssignments> {
    const findOutcome = () => findOutcomeByState(this.ofTask(id), (now) => isSame(now, body));
    return this.#caller.call("notification_assignments.replace_of_task", {
      params: { id },
      body,
      options,
      findOutcome,
    });
  }

  /**
   * Returns the assignments that apply to a task, and the scope they come from. `GET /v1/tasks/{id}/notifications/effective`
   *
   * @throws {@link NotFoundError}
   */
  effective(taskId: string, options?: CallOptions): ApiPromise<EffectiveNotifications> {
    return this.#caller.call("notification_assignments.effective", { params: { id: taskId }, options });
  }

  /**
   * Returns a group's own assignments, without inherited ones. `GET /v1/groups/{id}/notifications`
   *
   * @throws {@link NotFoundError}
   */
  ofGroup(id: string, options?: CallOptions): ApiPromise<NotificationAssignments> {
    return this.#caller.call("notification_assignments.of_group", { params: { id }, options });
  }

  /**
   * Replaces all of a group's own assignments. With an empty list, the group inherits again. `PUT /v1/groups/{id}/notifications`
   *
   * @throws {@link NotFoundError} if the group or a channel does not exist
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  replaceOfGroup(
    id: string,
    body: NotificationAssignmentsReplace,
    options?: ChangeOptions,
  ): ApiPromise<NotificationAssignments> {
    const findOutcome = () => findOutcomeByState(this.ofGroup(id), (now) => isSame(now, body));
    return this.#caller.call("notification_assignments.replace_of_group", {
      params: { id },
      body,
      options,
      findOutcome,
    });
  }

  /**
   * Lists the tasks and groups with an own assignment to a channel, without the tasks that inherit it, in the order of their
   * ids. `GET /v1/notification-channels/{id}/assignments`
   *
   * @throws {@link NotFoundError} if the channel does not exist
   */
  ofChannel(
    channelId: string,
    query?: ChannelAssignmentsQuery,
    options?: CallOptions,
  ): PagePromise<ChannelAssignmentList> {
    return this.#caller.list("notification_assignments.of_channel", { params: { id: channelId }, query, options });
  }
}

/** The daemon keeps the order of the assignments. */
function isSame(now: NotificationAssignments, body: NotificationAssignmentsReplace): boolean {
  const textOf = ({ assignments }: NotificationAssignmentsReplace): string =>
    JSON.stringify(assignments.map((each) => [each.channel_id, each.on_success, each.on_failure]));
  return textOf(now) === textOf(body);
}
