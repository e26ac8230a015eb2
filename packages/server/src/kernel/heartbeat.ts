import type { SseFrame } from "./operation.ts";

/** A stream of events that has been quiet for this long gets a heartbeat, so that its reader notices a dead connection. */
export const heartbeatMs = 15_000;

/** A comment, which readers of events ignore. */
export const heartbeat: SseFrame = { comment: "" };
