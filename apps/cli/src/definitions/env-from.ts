import { text } from "../options.ts";

/** The same for tasks and groups. */
export const envFrom = text(
  "--env-from <file>",
  "set variables from a file of NAME=value lines, where # begins a comment at the start of a line or after a space; - reads standard input",
);
