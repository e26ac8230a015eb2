import { closeSync, readdirSync, readFileSync } from "node:fs";

const closeOnExec = 0o2000000;

/**
 * Closes the files that this process inherited, except its standard streams: each task would inherit them too. Node marks
 * its own files close-on-exec, so the others can be distinguished.
 */
export function closeInheritedFiles(): void {
  for (const fd of readdirSync("/proc/self/fd").map(Number)) {
    if (fd > 2 && isInheritable(fd)) closeSync(fd);
  }
}

/** Whether children would inherit the file. False for the descriptor of the listing itself, which is closed by now. */
function isInheritable(fd: number): boolean {
  try {
    const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))!;
    return (Number.parseInt(flags!, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}
