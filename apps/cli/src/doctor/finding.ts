/** The result of one check. `bad` needs a fix; `warn` may be intended. */
export interface Finding {
  readonly subject: string;
  readonly level: "good" | "warn" | "bad";
  /** With its hints as they are before they are rewritten. */
  readonly text: string;
}
