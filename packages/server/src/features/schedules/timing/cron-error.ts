export type CronFieldName = "second" | "minute" | "hour" | "day_of_month" | "month" | "day_of_week";

/** Why a cron expression is invalid. The message is a predicate of the expression, which it quotes first. */
export class CronError extends Error {
  override readonly name = "CronError";
  /** The invalid field, or the expression as a whole: too few fields, or fields that never match together. */
  readonly fieldName: CronFieldName | "expression";
  readonly reason: "syntax" | "never";

  constructor(fieldName: CronFieldName | "expression", message: string, reason: "syntax" | "never" = "syntax") {
    super(message);
    this.fieldName = fieldName;
    this.reason = reason;
  }
}
