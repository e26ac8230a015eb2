import { inServer as server } from "./layers.ts";

/** A global, or one property of a global, that only its owners in the server may touch. */
export interface Ambient {
  readonly globals?: readonly string[];
  readonly properties?: readonly { readonly object: string; readonly property: string }[];
  readonly owners: readonly string[];
  readonly instead: string;
}

const ofProcess = (...names: readonly string[]) => names.map((property) => ({ object: "process", property }));

export const ambients: readonly Ambient[] = [
  {
    globals: ["Date", "Temporal"],
    owners: server("kernel/time/time.ts"),
    instead: "instants come from unit.now or clock.now(); kernel/time/time.ts prints them",
  },
  {
    globals: [
      "setTimeout",
      "setInterval",
      "setImmediate",
      "clearTimeout",
      "clearInterval",
      "clearImmediate",
      "performance",
    ],
    properties: [{ object: "AbortSignal", property: "timeout" }, ...ofProcess("hrtime", "uptime")],
    owners: server("kernel/time/clock.ts"),
    instead: "time passes through kernel/time/clock.ts",
  },
  {
    globals: ["crypto"],
    properties: [{ object: "Math", property: "random" }],
    owners: server("kernel/random.ts"),
    instead: "randomness comes from kernel/random.ts",
  },
  {
    globals: ["console"],
    properties: ofProcess("env", "exit"),
    owners: server("kernel/config/config.ts", "bin.ts", "runner/main.ts"),
    instead:
      "the environment is read by kernel/config/config.ts and passed in; only bin.ts and runner/main.ts print and exit",
  },
  {
    globals: ["fetch", "WebSocket", "EventSource"],
    owners: [],
    instead: "what leaves the machine leaves by deliveries/sending/send-webhook.ts",
  },
  {
    properties: [...ofProcess("getBuiltinModule", "binding", "dlopen"), { object: "globalThis", property: "process" }],
    owners: [],
    instead: "it goes round the owners",
  },
];
