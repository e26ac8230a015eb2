import type { AnswerOf, OperationById } from "@belfry/contract";

/** The answer of `GET /v1/timeline`. */
export type TimelineAnswer = AnswerOf<OperationById<"timeline.get">>;
export type TimelineRow = TimelineAnswer["rows"][number];
type Past = TimelineRow["past"];
export type TimelineRun = Extract<Past, { kind: "runs" }>["runs"][number];
export type TimelineBucket = Extract<Past, { kind: "buckets" }>["buckets"][number];
