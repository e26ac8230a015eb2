export type CronFieldName = "second" | "minute" | "hour" | "day_of_month" | "month" | "day_of_week";

/** Why a cron expression is refused: the message is for the person who wrote it. */
export class CronError extends Error {
  override readonly name = "CronError";
  /** The field at fault, or the expression as a whole: too few fields, or fields that never meet. */
  readonly fieldName: CronFieldName | "expression";
  readonly reason: "syntax" | "never";

  constructor(fieldName: CronFieldName | "expression", message: string, reason: "syntax" | "never" = "syntax") {
    super(message);
    this.fieldName = fieldName;
    this.reason = reason;
  }
}
