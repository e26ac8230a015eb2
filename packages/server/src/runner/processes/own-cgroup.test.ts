import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cgroupOutsideAttempt, chooseCgroup, findOwnCgroup } from "./own-cgroup.ts";

test("a system without cgroups has none of this process", async () => {
  await using self = await tempDir();
  expect(findOwnCgroup(self.path)).toBeNull();
  await writeFile(join(self.path, "cgroup"), "0::/a\n");
  expect(findOwnCgroup(self.path)).toBeNull();
  await writeFile(join(self.path, "mountinfo"), mount("/", "/sys/fs/cgroup"));
  expect(findOwnCgroup(self.path)).toBe("/sys/fs/cgroup/a");
});

const mount = (root: string, folder: string, type = "cgroup2"): string =>
  `41 31 0:38 ${root} ${folder} rw,relatime shared:9 - ${type} cgroup rw\n`;
const other = mount("/", "/sys/fs/cgroup/memory", "cgroup");

test.each([
  [
    "a unit of systemd",
    "0::/system.slice/belfry.service\n",
    mount("/", "/sys/fs/cgroup"),
    "/sys/fs/cgroup/system.slice/belfry.service",
  ],
  ["the root", "0::/\n", other + mount("/", "/sys/fs/cgroup/unified"), "/sys/fs/cgroup/unified/"],
  [
    "beside version 1",
    "4:memory:/a\n0::/b\n",
    other + mount("/", "/sys/fs/cgroup/unified"),
    "/sys/fs/cgroup/unified/b",
  ],
  ["a mount of a part", "0::/a/b\n", mount("/a", "/mnt"), "/mnt/b"],
  ["a mount with spaces", "0::/a\n", mount("/", String.raw`/my\040mnt`), "/my mnt/a"],
  ["a mount of another part", "0::/ab\n", mount("/a", "/mnt"), null],
  ["outside of the namespace", "0::/../b\n", mount("/", "/mnt"), null],
  ["no mount", "0::/a\n", other, null],
  ["version 1 alone", "4:memory:/a\n", mount("/", "/mnt"), null],
  ["a removed cgroup", "0::/a (deleted)\n", mount("/", "/mnt"), null],
])("the folder of a cgroup: %s", (_, cgroups, mounts, expected) => {
  expect(chooseCgroup(cgroups, mounts)).toBe(expected);
});

test.each([
  ["/cg/belfry.service/belfry-12-34/56", "/cg/belfry.service"],
  ["/cg/belfry-12-34/56/made/by/the/task", "/cg"],
  ["/cg/belfry-1-2/3/belfry-4-5/6", "/cg"],
  ["/cg/belfry-12-34/home", null],
  ["/cg/belfry.service", null],
])("the cgroup outside of the attempt of %s is %s", (cgroup, expected) => {
  expect(cgroupOutsideAttempt(cgroup)).toBe(expected);
});
