import { closeSync, readdirSync, readFileSync } from "node:fs";

const closeOnExec = 0o2000000;

/**
 * Closes what this process was started with besides its standard streams: each task would inherit it in turn. All that
 * Node itself has open is marked to be closed on exec, and so is told apart.
 */
export function closeInheritedFiles(): void {
  for (const fd of readdirSync("/proc/self/fd").map(Number)) {
    if (fd > 2 && isInheritable(fd)) closeSync(fd);
  }
}

/** False for the one that the listing itself had open, and has closed. */
function isInheritable(fd: number): boolean {
  try {
    const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))!;
    return (Number.parseInt(flags!, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}
