import { readFileSync } from "node:fs";

/** One line of `/proc/self/mountinfo`. */
export interface Mount {
  readonly id: string;
  readonly parentId: string;
  readonly point: string;
  readonly type: string;
}

/** Types that another machine or another process serves, and `autofs`, which may mount one on access. */
const remoteTypes = new Set(
  "9p acfs afs autofs beegfs ceph cifs coda davfs drvfs fhgfs fuse fuseblk gfs gfs2 glusterfs gpfs kafs lustre ncp ncpfs nfs nfs4 ocfs2 orangefs panfs prl_fs pvfs2 smb2 smb3 smbfs sshfs vboxsf virtiofs vmhgfs".split(
    " ",
  ),
);

/**
 * Whether a path is on a network or FUSE mount, where any access may hang. It reads the table of mounts and never touches the
 * path. Without a table, or a mount for the path, it is assumed to be.
 */
export function isRemotePath(path: string): boolean {
  const mount = findMount(readMounts(), path);
  return mount === null || isRemoteType(mount.type);
}

export function readMounts(): readonly Mount[] {
  try {
    return parseMounts(readFileSync("/proc/self/mountinfo", "utf8"));
  } catch {
    // no such table on this system
    return [];
  }
}

export function parseMounts(mountinfo: string): readonly Mount[] {
  return mountinfo.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ", 2);
    const [id, parentId, , , point] = before.split(" ");
    const [type] = after.split(" ");
    if (id === undefined || parentId === undefined || point === undefined || type === undefined) return [];
    return [{ id, parentId, point: decodeOctal(point), type }];
  });
}

/** The kernel writes spaces, tabs, line feeds, number signs and backslashes of a path in octal. */
function decodeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

export function isRemoteType(type: string): boolean {
  return remoteTypes.has(type) || type.startsWith("fuse.");
}

/**
 * The mount that a path is on, found as the kernel walks it: from each mount into the nearest one mounted on it along the path. A
 * mount that a later one covers is never entered.
 */
export function findMount(mounts: readonly Mount[], path: string): Mount | null {
  const along = mounts.filter(({ point }) => isAtOrBelow(path, point));
  const ids = new Set(mounts.map(({ id }) => id));
  const isTop = ({ id, parentId }: Mount): boolean => parentId === id || !ids.has(parentId);
  let found: Mount | null = null;
  let next = nearestOf(along.filter(isTop));
  while (next !== null) {
    const { id } = (found = next);
    next = nearestOf(along.filter((mount) => mount.parentId === id && !isTop(mount)));
  }
  return found;
}

/** The one that a walk down the path meets first; of several at one place the last. */
function nearestOf(mounts: readonly Mount[]): Mount | null {
  return mounts.reduce<Mount | null>(
    (nearest, mount) => (nearest === null || mount.point.length <= nearest.point.length ? mount : nearest),
    null,
  );
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
