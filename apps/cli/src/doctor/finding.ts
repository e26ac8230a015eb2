/** The result of one check. `bad` needs a fix; `warn` may be intended. */
export interface Finding {
  readonly subject: string;
  readonly level: "good" | "warn" | "bad";
  readonly text: string;
}
