import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";

/** The file that a running daemon writes to its data directory. */
interface DaemonFile {
  readonly pid: number;
  readonly socket: string;
}

export function readDaemonFile(dataDir: string): DaemonFile | null {
  try {
    const { pid, socket } = JSON.parse(readFileSync(join(dataDir, "daemon.json"), "utf8")) as Partial<DaemonFile>;
    return Number.isInteger(pid) && pid! > 1 && typeof socket === "string" ? { pid: pid!, socket } : null;
  } catch {
    return null; // missing, unreadable or incomplete: the caller reports it
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

/**
 * Whether a process has ended but keeps its pid, because its parent has not waited for it. In a container without an
 * init that is for ever. False outside Linux, where the kernel does not report it.
 */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // the name in parentheses may hold anything
    return ["Z", "X"].includes(stat.charAt(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

/**
 * The process that holds the lock of a data directory, according to the kernel. It is the daemon, even if daemon.json is
 * out of date. Null if nobody holds the lock, and outside Linux, where the kernel does not report it.
 */
export function findLockHolder(lock: string): number | null {
  try {
    const { dev, ino } = statSync(lock);
    const lines = readFileSync("/proc/locks", "utf8").split("\n");
    const holders = lines.flatMap((line) => {
      const [, pid, inode] = /^\d+: POSIX +ADVISORY +WRITE +(\d+) \w+:\w+:(\d+) /.exec(line) ?? [];
      return Number(inode) === ino ? [Number(pid)] : [];
    });
    return holders.find((pid) => hasOpen(pid, { dev, ino })) ?? null;
  } catch {
    return null;
  }
}

/** Inode numbers are unique only within a file system. */
function hasOpen(pid: number, file: { readonly dev: number; readonly ino: number }): boolean {
  const held = join("/proc", String(pid), "fd");
  return readdirSync(held).some((fd) => {
    const open = statSync(join(held, fd), { throwIfNoEntry: false });
    return open?.ino === file.ino && open.dev === file.dev;
  });
}

/**
 * Whether a process listens on a socket, according to the kernel, so that an outdated daemon.json never causes another
 * process to be killed. Null outside Linux, where the kernel does not report it.
 */
export function holdsSocket(pid: number, socket: string): boolean | null {
  try {
    const inodes = socketInodes(socket);
    const held = join("/proc", String(pid), "fd");
    return readdirSync(held).some((fd) => inodes.has(inodeOf(join(held, fd)) ?? ""));
  } catch {
    return null;
  }
}

/** /proc/net/unix: `Num RefCount Protocol Flags Type St Inode Path`. */
function socketInodes(socket: string): ReadonlySet<string> {
  const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
  return new Set(lines.filter((line) => line.endsWith(` ${socket}`)).map((line) => line.trim().split(/\s+/)[6] ?? ""));
}

function inodeOf(link: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1];
  } catch {
    return undefined; // closed since the listing
  }
}
