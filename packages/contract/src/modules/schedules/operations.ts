import { z } from "zod";
import { labelOf, listOf, namePart, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { Limit, QueryBoolean, Timestamp } from "../../core/scalars.ts";
import { Agenda, agendaTimesMax, Preview, PreviewRequest } from "./preview.ts";
import { Schedule, ScheduleCreate, SchedulePatch, SchedulePause } from "./schemas.ts";

const module = { resource: "schedule", transports: everywhere } as const;
const read = { ...module, kind: "read", capability: "observe", audited: false } as const;
const write = { ...module, kind: "write", audited: true } as const;
const answer = { kind: "json", status: 200, schema: Schedule } as const;
const onOne = {
  method: "post",
  params: IdParams,
  response: answer,
  capability: "operate",
  errors: ["not_found"],
  conditional: true,
} as const;

export const scheduleOperations = [
  defineOperation({
    ...read,
    id: "schedules.list",
    method: "get",
    path: "/schedules",
    summary: "List schedules, newest first",
    query: z.strictObject({
      ...pageQuery,
      task_id: referenceTo("task").optional(),
      group_id: referenceTo("group").optional().meta({ description: "Only schedules of tasks directly in this group" }),
      enabled: QueryBoolean.optional(),
      label: labelOf("schedules of tasks"),
      q: namePart("schedules"),
    }),
    response: { kind: "json", status: 200, schema: listOf("schedules", Schedule).meta({ id: "ScheduleList" }) },
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "schedules.create",
    method: "post",
    path: "/schedules",
    summary: "Create a schedule for a task",
    capability: "manage",
    body: ScheduleCreate,
    response: { kind: "json", status: 201, schema: Schedule },
    errors: ["not_found"],
    replayedBy: "schedules.get",
    example: { task_id: "tsk_4fzH1TqWb8YkV0c2LxNd", kind: "cron", expression: "0 3 * * *", time_zone: "Europe/Berlin" },
  }),
  defineOperation({
    ...read,
    id: "schedules.preview",
    method: "post",
    path: "/schedules/preview",
    summary: "Preview when a schedule will run, with local times and daylight-saving transitions",
    body: PreviewRequest,
    response: { kind: "json", status: 200, schema: Preview },
    errors: ["not_found"],
    example: { draft: { kind: "cron", expression: "30 2 * * *", time_zone: "America/New_York" }, count: 3 },
  }),
  defineOperation({
    ...read,
    id: "schedules.get",
    method: "get",
    path: "/schedules/{id}",
    summary: "Get a schedule",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...write,
    id: "schedules.update",
    method: "patch",
    path: "/schedules/{id}",
    summary: "Change a schedule",
    capability: "manage",
    params: IdParams,
    body: SchedulePatch,
    response: answer,
    errors: ["not_found"],
    conditional: true,
    example: { expression: "30 3 * * 1-5" },
  }),
  defineOperation({
    ...write,
    id: "schedules.delete",
    method: "delete",
    path: "/schedules/{id}",
    summary: "Delete a schedule; its runs stay in the history",
    capability: "manage",
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found"],
    conditional: true,
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "schedules.enable",
    path: "/schedules/{id}/enable",
    summary: "Enable a schedule",
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "schedules.disable",
    path: "/schedules/{id}/disable",
    summary: "Disable a schedule",
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "schedules.pause",
    path: "/schedules/{id}/pause",
    summary: "Pause a schedule, until a given time or until it is resumed",
    body: SchedulePause,
    bodyOptional: true,
    example: { until: "2026-12-01T00:00:00Z" },
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "schedules.resume",
    path: "/schedules/{id}/resume",
    summary: "Resume a paused schedule",
  }),
  defineOperation({
    ...read,
    id: "schedules.agenda",
    method: "get",
    path: "/agenda",
    summary: "List upcoming runs of all schedules, soonest first",
    query: z.strictObject({
      from: Timestamp.optional().meta({ description: "Default: now" }),
      until: Timestamp.optional().meta({ description: "Default: one day after `from`" }),
      limit: Limit.optional(),
      task_id: referenceTo("task").optional(),
      group_id: referenceTo("group").optional().meta({ description: "Only tasks directly in this group" }),
      collapse: QueryBoolean.optional().meta({
        description: `Whether a schedule with more than ${agendaTimesMax} scheduled times in the period is one entry, at the first of them. Default: false`,
      }),
    }),
    response: { kind: "json", status: 200, schema: Agenda },
    errors: [],
  }),
] as const;
