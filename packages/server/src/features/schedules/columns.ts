import {
  formatDuration,
  parseDuration,
  type Dst,
  type Misfire,
  type ScheduleCreate,
  type ScheduleDraft,
  type SchedulePatch,
} from "@belfry/contract";
import { invalid } from "../../kernel/errors.ts";
import { type Instant, formatInstant, parseInstant } from "../../kernel/time.ts";
import type { ScheduleRow } from "./table.ts";

type Timed = Omit<
  ScheduleRow,
  | "id"
  | "taskId"
  | "name"
  | "nameKey"
  | "createdAt"
  | "updatedAt"
  | "revision"
  | "enabled"
  | "cursorAt"
  | "nextAt"
  | "dueAt"
  | "lastRunAt"
  | "bootId"
  | "paused"
  | "pausedUntil"
>;

const defaultDst: Dst = { gap: "run_after", overlap: "first" };

function ms(text: string, field: string): number {
  const parsed = parseDuration(text);
  if (parsed === null) throw invalid(field, "must be a duration such as 5m");
  return parsed;
}

function instantOrNull(text: string | null): Instant | null {
  return text === null ? null : parseInstant(text);
}

function misfireColumns(misfire: Misfire) {
  return {
    misfirePolicy: misfire.policy,
    misfireWindowMs: ms(misfire.window, "misfire.window"),
    misfireRunsMax: misfire.max_runs,
  };
}

/** What a person wrote of a new schedule, as columns. An interval beats from `starts_at`, else from one length after now. */
export function timedColumns(input: ScheduleDraft | ScheduleCreate, now: Instant): Timed {
  const dst = input.kind === "cron" ? input.dst : defaultDst;
  const startsAt = instantOrNull(input.starts_at);
  const everyMs = input.kind === "interval" ? ms(input.every, "every") : null;
  return {
    kind: input.kind,
    expression: input.kind === "cron" ? input.expression : null,
    everyMs,
    at: input.kind === "once" ? parseInstant(input.at) : null,
    timeZone: input.kind === "cron" ? input.time_zone : null,
    jitterMs: ms(input.jitter, "jitter"),
    ...misfireColumns(input.misfire),
    dstGap: dst.gap,
    dstOverlap: dst.overlap,
    startsAt,
    endsAt: instantOrNull(input.ends_at),
    anchorAt: startsAt ?? now + (everyMs ?? 0),
  };
}

const membersOfKind = { expression: "cron", every: "interval", at: "once", time_zone: "cron", dst: "cron" } as const;

/** A patch as columns; a member of another kind is refused, and an interval whose length changes begins its beat anew. */
export function patchColumns(row: ScheduleRow, patch: SchedulePatch, now: Instant): Partial<ScheduleRow> {
  for (const [member, kind] of Object.entries(membersOfKind)) {
    if (patch[member as keyof typeof membersOfKind] !== undefined && row.kind !== kind) {
      throw invalid(member, `belongs to a ${kind} schedule; this one is of kind ${row.kind}: create another`);
    }
  }
  const columns: Partial<ScheduleRow> = {};
  if (patch.expression !== undefined) columns.expression = patch.expression;
  if (patch.every !== undefined) columns.everyMs = ms(patch.every, "every");
  if (patch.at !== undefined) columns.at = parseInstant(patch.at);
  if (patch.time_zone !== undefined) columns.timeZone = patch.time_zone;
  if (patch.dst !== undefined) Object.assign(columns, { dstGap: patch.dst.gap, dstOverlap: patch.dst.overlap });
  if (patch.jitter !== undefined) columns.jitterMs = ms(patch.jitter, "jitter");
  if (patch.misfire !== undefined) Object.assign(columns, misfireColumns(patch.misfire));
  if (patch.starts_at !== undefined) columns.startsAt = instantOrNull(patch.starts_at);
  if (patch.ends_at !== undefined) columns.endsAt = instantOrNull(patch.ends_at);
  if (patch.enabled !== undefined) columns.enabled = patch.enabled;
  const isReanchored = columns.everyMs !== undefined && columns.everyMs !== row.everyMs;
  if (isReanchored || columns.startsAt !== undefined) {
    const startsAt = columns.startsAt === undefined ? (isReanchored ? null : row.startsAt) : columns.startsAt;
    columns.anchorAt = startsAt ?? now + (columns.everyMs ?? row.everyMs ?? 0);
  }
  return columns;
}

/** A schedule's own words, for one that was given no name. */
export function describeTiming(columns: Pick<ScheduleRow, "kind" | "expression" | "everyMs" | "at">): string {
  switch (columns.kind) {
    case "cron":
      return columns.expression ?? "";
    case "interval":
      return `every ${formatDuration(columns.everyMs ?? 0)}`;
    case "once":
      return `at ${formatInstant(columns.at ?? 0)}`;
    case "boot":
      return "at boot";
  }
}
