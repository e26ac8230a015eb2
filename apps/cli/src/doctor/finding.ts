/** What one check saw. `bad` needs someone; `warn` may be meant so. */
export interface Finding {
  readonly subject: string;
  readonly level: "good" | "warn" | "bad";
  readonly text: string;
}
