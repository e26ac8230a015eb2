import { readdirSync, readFileSync, readlinkSync } from "node:fs";
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
