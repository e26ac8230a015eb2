export { type Check, type CheckedPlan, planChecked, type Rejection } from "./checked-plan.ts";
export { cronEnvironment, cronPath, parseSessionEnvironment } from "./cron-environment.ts";
export {
  type CrontabForm,
  type CrontabLine,
  type EnvironmentLine,
  type JobLine,
  type JobTime,
  linesMax,
  parseCrontab,
} from "./lines.ts";
export {
  type CrontabPlan,
  type DaemonUser,
  type ImportBody,
  type LineReport,
  planImport,
  type PlanOptions,
  usersOf,
} from "./plan.ts";
