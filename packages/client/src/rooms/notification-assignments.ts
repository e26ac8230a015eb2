import type { BodyOf, EffectiveNotifications, NotificationAssignments, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions, ChangeOptions } from "../options.ts";
import { settleByState } from "../settle.ts";

export type NotificationAssignmentsReplace = BodyOf<OperationById<"notification_assignments.replace_of_task">>;

/** Which tasks and groups tell which channels, and of which outcomes. */
export class NotificationAssignmentsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * A task's own assignments, without those it inherits. `GET /v1/tasks/{id}/notifications`
   *
   * @throws {@link NotFoundError}
   */
  ofTask(id: string, options?: CallOptions): ApiPromise<NotificationAssignments> {
    return this.#caller.call("notification_assignments.of_task", { params: { id }, options });
  }

  /**
   * Replaces all of a task's own assignments at once; none lets it inherit again. `PUT /v1/tasks/{id}/notifications`
   *
   * @throws {@link NotFoundError} where there is no such task, or no such channel
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  replaceOfTask(
    id: string,
    body: NotificationAssignmentsReplace,
    options?: ChangeOptions,
  ): ApiPromise<NotificationAssignments> {
    const settle = () => settleByState(this.ofTask(id), (now) => isSame(now, body));
    return this.#caller.call("notification_assignments.replace_of_task", { params: { id }, body, options, settle });
  }

  /**
   * Which assignments hold for a task, and the scope they come from. `GET /v1/tasks/{id}/notifications/effective`
   *
   * @throws {@link NotFoundError}
   */
  effective(taskId: string, options?: CallOptions): ApiPromise<EffectiveNotifications> {
    return this.#caller.call("notification_assignments.effective", { params: { id: taskId }, options });
  }

  /**
   * A group's own assignments, without those it inherits. `GET /v1/groups/{id}/notifications`
   *
   * @throws {@link NotFoundError}
   */
  ofGroup(id: string, options?: CallOptions): ApiPromise<NotificationAssignments> {
    return this.#caller.call("notification_assignments.of_group", { params: { id }, options });
  }

  /**
   * Replaces all of a group's own assignments at once; none lets it inherit again. `PUT /v1/groups/{id}/notifications`
   *
   * @throws {@link NotFoundError} where there is no such group, or no such channel
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  replaceOfGroup(
    id: string,
    body: NotificationAssignmentsReplace,
    options?: ChangeOptions,
  ): ApiPromise<NotificationAssignments> {
    const settle = () => settleByState(this.ofGroup(id), (now) => isSame(now, body));
    return this.#caller.call("notification_assignments.replace_of_group", { params: { id }, body, options, settle });
  }
}

/** They are kept in the order in which they were sent. */
function isSame(now: NotificationAssignments, body: NotificationAssignmentsReplace): boolean {
  const textOf = ({ assignments }: NotificationAssignmentsReplace): string =>
    JSON.stringify(assignments.map((each) => [each.channel_id, each.on_success, each.on_failure]));
  return textOf(now) === textOf(body);
}
