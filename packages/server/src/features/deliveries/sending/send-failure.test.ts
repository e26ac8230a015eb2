import { expect, test } from "vitest";
import { isUnsentForResources, type Phase } from "./send-failure.ts";

test.for(["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS", "EAGAIN"])(
  "%s gives an attempt back while nothing was sent, and never once there was a connection",
  (code) => {
    const phases: readonly Phase[] = ["resolving", "connecting", "answering"];
    const error = Object.assign(new Error("planted"), { code });
    expect(phases.filter((phase) => isUnsentForResources(error, phase))).toEqual(["resolving", "connecting"]);
  },
);
