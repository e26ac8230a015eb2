import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a running daemon writes into its data directory. */
interface DaemonFile {
  readonly pid: number;
  readonly socket: string;
}

export function readDaemonFile(dataDir: string): DaemonFile | null {
  try {
    const { pid, socket } = JSON.parse(readFileSync(join(dataDir, "daemon.json"), "utf8")) as Partial<DaemonFile>;
    return Number.isInteger(pid) && pid! > 1 && typeof socket === "string" ? { pid: pid!, socket } : null;
  } catch {
    return null; // not there, not readable or half written: whoever asks says what that means
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * The process that holds the lock of a data directory, as the kernel says: it is the daemon, whatever its files say. Null
 * where nobody holds it, or where the system does not tell, as outside Linux.
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

/** The numbers of files repeat between file systems. */
function hasOpen(pid: number, file: { readonly dev: number; readonly ino: number }): boolean {
  const held = join("/proc", String(pid), "fd");
  return readdirSync(held).some((fd) => {
    const open = statSync(join(held, fd), { throwIfNoEntry: false });
    return open?.ino === file.ino && open.dev === file.dev;
  });
}

/**
 * Whether this process listens on that socket: the kernel's own word, so that a file which is out of date never gets
 * a stranger killed. Null where the system does not tell, as outside Linux.
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
    return undefined; // closed since it was listed
  }
}
