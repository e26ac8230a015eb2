/** Returns the system's error code (`ENOENT`), or else the error's message. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/** Whether the system lacks a resource at the moment; the same call may succeed a second later. */
export function isResourceExhausted(error: unknown): boolean {
  return ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"].includes(errorCode(error));
}

/** Whether the file does not exist, or the process has ended meanwhile. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ESRCH"].includes(errorCode(error));
}

/**
 * Describes an error by its code and stack. Its message is left out: that of a failed start quotes the program or its
 * arguments.
 */
export function describeCrash(error: Error): string {
  const frames = error.stack?.split(error.message).at(-1) ?? "";
  return `${"code" in error ? String(error.code) : error.name}${frames}`;
}
