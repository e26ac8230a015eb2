import { limits, type scheduleOperations } from "@belfry/contract";
import { AppError, invalid } from "../../kernel/errors/errors.ts";
import { nameKey } from "../../kernel/names.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import { formatInstant, lastInstant, parseInstant } from "../../kernel/time/time.ts";
import { readLabelFilter } from "../tasks/index.ts";
import type { AgendaDeps } from "./answers/agenda-span.ts";
import { listAgenda } from "./answers/agenda.ts";
import type { ScheduleFact } from "./facts.ts";
import { previewSchedule } from "./answers/preview.ts";
import { unplannable } from "./answers/why-sentences.ts";
import type { Schedules } from "./service.ts";
import { tryToPlan } from "./unplannable.ts";

const agendaSpanMs = 86_400_000;

export interface ScheduleOperationDeps extends AgendaDeps {
  readonly schedules: Schedules;
}

export function serveSchedules(deps: ScheduleOperationDeps): OperationsOf<typeof scheduleOperations, ScheduleFact> {
  const { schedules, planner } = deps;
  return {
    "schedules.list": {
      handle: ({ query, now }) => {
        const filters = {
          taskId: query.task_id,
          groupId: query.group_id,
          enabled: query.enabled,
          ...readLabelFilter(query.label),
          namePart: query.q === undefined ? undefined : nameKey(query.q),
        };
        const { rows, next_cursor } = readList({
          operation: "schedules.list",
          query,
          find: (page) => schedules.list(filters, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { schedules: rows.map((row) => schedules.view(row, now)), next_cursor };
      },
    },
    "schedules.create": { handle: (unit, { body }) => schedules.view(schedules.create(unit, body), unit.now) },
    "schedules.preview": {
      handle: ({ body: { draft, schedule_id: id, count, ...body }, now }) => {
        const row =
          draft === undefined
            ? schedules.get(id ?? "", "schedule_id")
            : within("draft", () => schedules.draft(draft, { id: "draft", taskId: "" }, now));
        const from = body.from === undefined ? now : parseInstant(body.from);
        const timing = tryToPlan(() => planner.timingOf(row));
        if ("fault" in timing) throw invalid("schedule_id", unplannable(timing.fault));
        const preview = previewSchedule(row, timing.value, { from, count, now });
        return { kind: row.kind, time_zone: planner.zoneOf(row), ...preview };
      },
    },
    "schedules.get": { handle: ({ params, now }) => schedules.view(schedules.get(params.id), now) },
    "schedules.update": {
      handle: (unit, { params, body }) => schedules.view(schedules.update(unit, params.id, body), unit.now),
    },
    "schedules.delete": { handle: (unit, { params }) => schedules.remove(unit, params.id) },
    "schedules.enable": {
      handle: (unit, { params }) => schedules.view(schedules.setEnabled(unit, params.id, true), unit.now),
    },
    "schedules.disable": {
      handle: (unit, { params }) => schedules.view(schedules.setEnabled(unit, params.id, false), unit.now),
    },
    "schedules.pause": {
      handle: (unit, { params, body }) =>
        schedules.view(
          schedules.pause(unit, params.id, body.until === null ? null : parseInstant(body.until)),
          unit.now,
        ),
    },
    "schedules.resume": { handle: (unit, { params }) => schedules.view(schedules.resume(unit, params.id), unit.now) },
    "schedules.agenda": {
      handle: ({ query, now }) => {
        const from = query.from === undefined ? now : parseInstant(query.from);
        const until =
          query.until === undefined ? Math.min(from + agendaSpanMs, lastInstant) : parseInstant(query.until);
        if (query.until !== undefined && until <= from) throw invalid("until", "until must be later than `from`");
        const agenda = listAgenda(deps, {
          from,
          until,
          limit: query.limit ?? limits.listDefault,
          taskId: query.task_id,
          groupId: query.group_id,
          isCollapsed: query.collapse === true,
        });
        return { from: formatInstant(from), until: formatInstant(until), ...agenda };
      },
    },
  };
}

/** Prefixes the field of an error with the path of the input: `expression` becomes `draft.expression`. */
function within<T>(member: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { field: `${member}.${error.field}`, cause: error });
  }
}
