import { DeviceFiles } from "./device-files.ts";
import { writeFingerprint } from "./fingerprint.ts";
import { KnownFiles, wordsPerFile } from "./known-files.ts";
import type { Bytes } from "./name-hash.ts";
import { Place } from "./place.ts";
import { statTarget } from "./read-directory.ts";
import type { Scope, ScopeParts } from "./directory-scope.ts";

/** One exact path. Links are followed, and each of them is watched, so that a switched link is a change. */
export function createFileScope(parts: ScopeParts): Scope {
  const { memory, owner, root } = parts;
  const split = parts.path.lastIndexOf("/");
  const folder = parts.path.slice(0, split) || "/";
  const name: Bytes = parts.path.slice(split + 1);
  const key = parts.hash.keyOf(folder);
  const stored = memory.take(key);
  const place = new Place({
    owner,
    path: folder,
    key,
    parentKey: null,
    isRecursive: false,
    files: stored?.files ?? new DeviceFiles(),
    baselineUntilNs: stored === null ? memory.baselineUntilNs : stored.baselineUntilNs,
    returned: () => memory.returnedTo(key),
  });
  const words = new Uint32Array(wordsPerFile);
  parts.hash.write(name, words, 0);

  const look = (real: Bytes): "not_file" | null => {
    const stats = statTarget(real);
    if (typeof stats === "string") return null;
    if (!stats.isFile()) {
      place.dropCandidates();
      return "not_file";
    }
    writeFingerprint(words, 2, { stats, trust: parts.trust });
    place.see(name, words, { at: 0, stats, atMs: parts.nowMs(), isScanned: true });
    end(stats.dev, true);
    return null;
  };

  return {
    places: () => [place],
    countRemote: () => 0,
    check: () => {
      const { real, failure, waypoints } = root.resolve();
      if (real !== null) return look(real);
      place.dropCandidates();
      // what appears later is new
      if (failure === "gone") place.baselineUntilNs = null;
      // only the file itself is missing: it is forgotten, unless its device is gone too
      const last = waypoints.at(-1);
      const parent = last === undefined || failure !== "gone" ? "gone" : statTarget(last.directory);
      if (typeof parent === "string" || last?.name !== name) return failure;
      end(parent.dev, false);
      return "file_missing";
    },
    lookAt: () => {
      const { real } = root.resolve();
      if (real === null) place.dropCandidates();
      else look(real);
    },
    follow: () => {},
    close: root.close,
  };

  function end(device: bigint, isPresent: boolean): void {
    const seen = isPresent ? words : words.slice(0, 0);
    place.endLook(words, {
      device,
      present: KnownFiles.of(seen),
      hasName: () => isPresent,
      directories: new Set(),
      depth: "all",
    });
  }
}
