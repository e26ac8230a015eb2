import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openObserverPlace, startTestObserver } from "../../../../tests/support/observer.ts";

test("a watcher that leaves while its files are read is not observed any more, and leaves nothing on disk", async () => {
  await using place = await openObserverPlace();
  mkdirSync(join(place.root, "sub", "deep"), { recursive: true });
  for (const path of ["a", "sub/b", "sub/deep/c"]) writeFileSync(join(place.root, path), "x");
  symlinkSync("a", join(place.root, "link"));
  let isLeft = false;
  await using observer = startTestObserver(place, {
    // asked of the link in the middle of the look at the root
    isRemote: (path) => {
      if (!isLeft && path === join(place.root, "link")) {
        isLeft = true;
        observer.take({ is: "leave", watcherId: "wch_1", isForgotten: true });
      }
      return false;
    },
  });
  await observer.observe();
  await observer.settle();
  expect(isLeft).toBe(true);
  expect(observer.watches()).toEqual([]);
  expect(existsSync(join(place.folder, "wch_1"))).toBe(false);
});
