import koffi from "koffi";
import { getSystemErrorName } from "node:util";

/*
 * The functions of the C library that Node lacks. Node's own `spawn` copies the page tables of this process for each
 * start and waits for the program meanwhile, which takes five times as long as posix_spawn; and Node cannot create a pipe.
 */
const libc = koffi.load(null);
/** Every function here returns an `int`. */
const declare = (prototype: string) => libc.func(prototype) as (...parameters: readonly unknown[]) => number;
const pipe2 = declare("int pipe2(_Out_ int *ends, int flags)");
const waitpid = declare("int waitpid(int pid, _Out_ int *status, int options)");
const prlimit = declare("int prlimit(int pid, int resource, void *now, void *former)");
const fcntl = declare("int fcntl(int fd, int command, ...)");
const ioctl = declare("int ioctl(int fd, unsigned long request, ...)");
const posixSpawn = declare(
  "int posix_spawn(_Out_ int *pid, const char *path, void *actions, void *attributes, const char **argv, const char **envp)",
);
const initActions = declare("int posix_spawn_file_actions_init(void *actions)");
const destroyActions = declare("int posix_spawn_file_actions_destroy(void *actions)");
const addDup2 = declare("int posix_spawn_file_actions_adddup2(void *actions, int from, int to)");
const addOpen = declare(
  "int posix_spawn_file_actions_addopen(void *actions, int fd, const char *path, int flags, uint32_t mode)",
);
const addChdir = declare("int posix_spawn_file_actions_addchdir_np(void *actions, const char *path)");
const initAttributes = declare("int posix_spawnattr_init(void *attributes)");
const setFlags = declare("int posix_spawnattr_setflags(void *attributes, int16_t flags)");
const setDefaultSignals = declare("int posix_spawnattr_setsigdefault(void *attributes, void *signals)");
const setSignalMask = declare("int posix_spawnattr_setsigmask(void *attributes, void *signals)");

const closeOnExec = 0o2000000;
const duplicateCloseOnExec = 1030;
/** FIONREAD, on every processor that Node is published for but POWER. */
const countReadable = process.arch === "ppc64" ? 0x4004_667f : 0x541b;
const openFiles = 7;
const noHang = 1;
const interrupted = 4;
const badFile = 9;
const tooManyFiles = 24;
const defaultSignals = 0x04;
const signalMask = 0x08;
const newSession = 0x80;
/** More than the structures take in any C library. */
const structBytes = 1_024;
const signalSetBytes = 128;

/** A session of its own, no blocked signals, and every signal with its default effect. */
const attributes = Buffer.alloc(structBytes);
check("posix_spawnattr_init", initAttributes(attributes));
check("posix_spawnattr_setsigdefault", setDefaultSignals(attributes, Buffer.alloc(signalSetBytes, 0xff)));
check("posix_spawnattr_setsigmask", setSignalMask(attributes, Buffer.alloc(signalSetBytes)));
check("posix_spawnattr_setflags", setFlags(attributes, newSession | defaultSignals | signalMask));

/** A pipe's ends. Both block, and neither is inherited. */
export interface PipeEnds {
  readonly read: number;
  readonly write: number;
}

export interface Program {
  readonly path: string;
  /** With the name under which the program is called. */
  readonly argv: readonly string[];
  /** `NAME=value`. */
  readonly environment: readonly string[];
  readonly directory: string;
  /** Standard input (null: empty), output and error. */
  readonly files: readonly [stdin: number | null, stdout: number, stderr: number];
}

/** Throws the system's error: EMFILE, ENFILE. */
export function makePipe(): PipeEnds {
  const ends = [-1, -1];
  if (pipe2(ends, closeOnExec) !== 0) throw systemError("pipe2", koffi.errno());
  const [read, write] = ends as [number, number];
  return { read, write };
}

/**
 * Starts a program in a session of its own. Returns its pid, or throws the system's error if the program could not be
 * executed. The caller has to wait for the process (`reap`).
 */
export function spawnProgram({ path, argv, environment, directory, files }: Program): number {
  if ([path, directory, ...argv, ...environment].some((text) => text.includes("\0"))) {
    throw Object.assign(new Error("a text with a NUL character"), { code: "EINVAL", syscall: "posix_spawn" });
  }
  const actions = Buffer.alloc(structBytes);
  check("posix_spawn", initActions(actions));
  try {
    const [stdin, ...outputs] = files;
    if (stdin === null) check("posix_spawn", addOpen(actions, 0, "/dev/null", 0, 0));
    else addFile(actions, stdin, 0);
    for (const [index, fd] of outputs.entries()) addFile(actions, fd, index + 1);
    check("posix_spawn", addChdir(actions, directory));
    const pid = [-1];
    check("posix_spawn", posixSpawn(pid, path, actions, attributes, [...argv, null], [...environment, null]));
    return pid[0]!;
  } finally {
    destroyActions(actions);
  }
}

/** Throws EMFILE for a number above the limit of tasks. glibc calls it a bad one (EBADF), but the file is open. */
function addFile(actions: Buffer, from: number, to: number): void {
  const errno = addDup2(actions, from, to);
  check("posix_spawn", errno === badFile ? tooManyFiles : errno);
}

/** Returns the wait status of a child that has ended, once; null while it runs. Its pid is free from then on. */
export function reap(pid: number): number | null {
  const status = [0];
  for (;;) {
    const found = waitpid(pid, status, noHang);
    if (found === pid) return status[0]!;
    if (found === 0) return null;
    const errno = koffi.errno();
    if (errno !== interrupted) throw systemError("waitpid", errno);
  }
}

export interface Limits {
  readonly soft: number;
  readonly hard: number;
}

/** Reads how many files this process may have open. */
export function readOpenFileLimits(): Limits {
  const limits = new BigUint64Array(2);
  if (prlimit(0, openFiles, null, limits) !== 0) throw systemError("prlimit", koffi.errno());
  return { soft: Number(limits[0]), hard: Number(limits[1]) };
}

export function setOpenFileLimits({ soft, hard }: Limits): void {
  const limits = BigUint64Array.of(BigInt(soft), BigInt(hard));
  if (prlimit(0, openFiles, limits, null) !== 0) throw systemError("prlimit", koffi.errno());
}

/** Returns how many bytes wait in a pipe. */
export function countBytesIn(pipe: number): number {
  const count = new Int32Array(1);
  if (ioctl(pipe, countReadable, "void *", count) !== 0) throw systemError("ioctl", koffi.errno());
  return count[0]!;
}

/** Duplicates a file to the lowest free number that is at least `lowest`. It is not inherited. */
export function duplicateFrom(fd: number, lowest: number): number {
  const copy = fcntl(fd, duplicateCloseOnExec, "int", lowest);
  if (copy < 0) throw systemError("fcntl", koffi.errno());
  return copy;
}

function check(call: string, errno: number): void {
  if (errno !== 0) throw systemError(call, errno);
}

function systemError(syscall: string, errno: number): Error {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${syscall} ${code}`), { code, errno, syscall });
}
