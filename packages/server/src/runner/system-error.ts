/** The system's name of what went wrong (`ENOENT`), else the error's own words. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/** The system is short of something for the moment; the same call may succeed a second later. */
export function isShortage(error: unknown): boolean {
  return ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"].includes(errorCode(error));
}

/** What was asked for is not there: a file, or a process that has ended meanwhile. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ESRCH"].includes(errorCode(error));
}

/** Where it was thrown and the system's name of it. Its message is left out: that of a start quotes program or arguments. */
export function describeCrash(error: Error): string {
  const frames = error.stack?.split(error.message).at(-1) ?? "";
  return `${"code" in error ? String(error.code) : error.name}${frames}`;
}
