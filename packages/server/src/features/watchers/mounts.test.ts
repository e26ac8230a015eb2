import { describe, expect, test } from "vitest";
import { findMount, isRemotePath, isRemoteType, parseMounts, readMounts } from "./mounts.ts";

/** Lines of real machines: a laptop with NFS, sshfs, an automount and a mount with a space, and covered mounts. */
const mountinfo = String.raw`22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
23 22 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:13 - proc proc rw
25 22 0:5 / /dev rw,nosuid shared:2 - devtmpfs udev rw,size=8074456k
70 22 0:42 / /srv/share rw,relatime shared:38 - nfs4 nas:/share rw,vers=4.2,rsize=1048576
71 70 0:50 / /srv/share/scratch rw - tmpfs tmpfs rw
72 22 0:43 / /home/ada/remote rw,nosuid,nodev,relatime shared:40 - fuse.sshfs ada@host: rw,user_id=1000
73 22 8:1 / /media/ada/My\040Disk\134\0111 rw,relatime - fuseblk /dev/sda1 rw
74 22 0:44 / /net rw,relatime shared:41 - autofs /etc/auto.net rw,fd=7
75 74 0:45 / /net/build rw,relatime shared:42 - nfs build:/ rw
76 22 8:2 / /mnt/a/b rw - nfs nas:/b rw
77 22 8:3 / /mnt/a rw - xfs /dev/sdb1 rw
78 77 0:46 / /mnt/a rw master:3 propagate_from:1 - btrfs /dev/sdc1 rw,space_cache=v2
79 77 0:47 / /mnt/a/c rw - cifs //nas/c rw
`;
const mounts = parseMounts(mountinfo);
const typeAt = (path: string) => findMount(mounts, path)?.type;

describe("the mount of a path", () => {
  test.each([
    ["/", "ext4"],
    ["/srv", "ext4"],
    ["/srv/shares", "ext4"],
    ["/srv/share", "nfs4"],
    ["/srv/share/in/box", "nfs4"],
    ["/srv/share/scratch/x", "tmpfs"],
    ["/home/ada/remote/x", "fuse.sshfs"],
    ["/media/ada/My Disk\\\t1/x", "fuseblk"],
    ["/media/ada/My Disk", "ext4"],
    ["/net/other", "autofs"],
    ["/net/build/x", "nfs"],
  ])("%s is %s", (path, type) => expect(typeAt(path)).toBe(type));

  test.each([
    ["/mnt/a", "btrfs"],
    ["/mnt/a/b/x", "btrfs"],
    ["/mnt/a/c/x", "btrfs"],
  ])("%s is %s: a later mount covers the earlier ones", (path, type) => expect(typeAt(path)).toBe(type));

  test("is unknown without a table", () => expect(findMount([], "/srv")).toBeNull());

  test("is found where the root is not a mount, as in a chroot", () => {
    const below = parseMounts("80 60 8:1 / /proc rw - proc proc rw\n81 60 8:2 / /data rw - nfs nas:/data rw\n");
    expect([findMount(below, "/data/x")?.type, findMount(below, "/srv")]).toEqual(["nfs", null]);
  });
});

test("network and FUSE types are remote, and types of local disks and memory are not", () => {
  const types = ["ext4", "nfs", "xfs", "fuse.rclone", "tmpfs", "9p", "overlay", "cifs", "zfs", "fuseblk", "btrfs"];
  expect(types.filter(isRemoteType)).toEqual(["nfs", "fuse.rclone", "9p", "cifs", "fuseblk"]);
});

test("lines of an unknown form are left out", () => {
  expect(parseMounts("\n22 1 259:2\nnonsense - \n")).toEqual([]);
});

test.runIf(process.platform === "linux")("the table of this machine is read, and /proc is not remote", () => {
  expect(readMounts().length).toBeGreaterThan(0);
  expect(isRemotePath("/proc/self")).toBe(false);
});
