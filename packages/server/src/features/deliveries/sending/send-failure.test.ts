import { expect, test } from "vitest";
import { isUnsentForResources, type Phase } from "./send-failure.ts";

test.for(["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS", "EAGAIN"])(
  "%s before a connection exists does not use up an attempt, and afterwards it does",
  (code) => {
    const phases: readonly Phase[] = ["resolving", "connecting", "answering"];
    const error = Object.assign(new Error("planted"), { code });
    expect(phases.filter((phase) => isUnsentForResources(error, phase))).toEqual(["resolving", "connecting"]);
  },
);
