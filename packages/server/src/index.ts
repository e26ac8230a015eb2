export { createDaemon, type Daemon } from "./daemon.ts";
export type { DaemonParts } from "./daemon-parts.ts";
export { systemClock, type Clock } from "./kernel/time/clock.ts";
export { type Config, readConfig } from "./kernel/config/config.ts";
export { createLog, type Log, type LogSink, silentLog } from "./kernel/log/log.ts";
