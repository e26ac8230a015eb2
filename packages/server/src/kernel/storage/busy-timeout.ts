/** How long a statement waits for another program's lock before it fails. */
export const busyTimeoutMs = 5_000;
