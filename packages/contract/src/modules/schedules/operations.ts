import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { Limit, QueryBoolean, Timestamp } from "../../core/scalars.ts";
import { Agenda, Preview, PreviewRequest, Schedule, ScheduleCreate, SchedulePatch, SchedulePause } from "./schemas.ts";

const module = { resource: "schedule", remote: true } as const;
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
    summary: "Schedules, newest first",
    query: z.strictObject({
      ...pageQuery,
      task_id: referenceTo("task").optional(),
      group_id: referenceTo("group").optional().meta({ description: "Schedules of tasks directly in this group" }),
      enabled: QueryBoolean.optional(),
      label: z
        .string()
        .min(1)
        .max(400)
        .optional()
        .meta({ description: "Of tasks with this label: `key` or `key:value`" }),
      q: z.string().min(1).max(200).optional().meta({ description: "A part of the name" }),
    }),
    response: { kind: "json", status: 200, schema: listOf("schedules", Schedule).meta({ id: "ScheduleList" }) },
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "schedules.create",
    method: "post",
    path: "/schedules",
    summary: "Create a schedule of a task",
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
    summary: "When a schedule will run, with local times and daylight-saving notes",
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
    summary: "One schedule",
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
    summary: "Delete a schedule; the history of its runs stays",
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
    summary: "Let a schedule fall due again",
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "schedules.disable",
    path: "/schedules/{id}/disable",
    summary: "Keep a schedule from falling due",
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "schedules.pause",
    path: "/schedules/{id}/pause",
    summary: "Keep a schedule from falling due for a while",
    body: SchedulePause,
    bodyOptional: true,
    example: { until: "2026-12-01T00:00:00Z" },
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "schedules.resume",
    path: "/schedules/{id}/resume",
    summary: "End a pause now",
  }),
  defineOperation({
    ...read,
    id: "schedules.agenda",
    method: "get",
    path: "/agenda",
    summary: "What will run, over all schedules, soonest first",
    query: z.strictObject({
      from: Timestamp.optional().meta({ description: "Now unless given" }),
      until: Timestamp.optional().meta({ description: "A day after `from` unless given" }),
      limit: Limit.optional(),
    }),
    response: { kind: "json", status: 200, schema: Agenda },
    errors: [],
  }),
] as const;
