import type { Clock } from "../../../kernel/time/clock.ts";
import { findMount, isAtOrBelow, isRemoteType, type Mount, readMounts } from "../mounts.ts";
import type { Bytes } from "./name-hash.ts";

/** The table is read again after this time: a mount that hangs was there for longer, most likely. */
const rememberedMs = 1_000;

/** Whether a path is on a network or FUSE mount, asked for every directory of a tree: mostly there is no such mount. */
export function createRemotePaths(clock: Pick<Clock, "monotonicMs">): (path: Bytes) => boolean {
  let readAt = -Infinity;
  let mounts: readonly Mount[] = [];
  let points: readonly Bytes[] = [];
  return (path) => {
    if (clock.monotonicMs() - readAt > rememberedMs) {
      readAt = clock.monotonicMs();
      mounts = readMounts();
      points = mounts
        .filter(({ type }) => isRemoteType(type))
        .map(({ point }) => Buffer.from(point).toString("latin1"));
    }
    if (!points.some((point) => isAtOrBelow(path, point))) return false;
    // another mount may cover it
    const mount = findMount(mounts, Buffer.from(path, "latin1").toString("utf8"));
    return mount !== null && isRemoteType(mount.type);
  };
}
