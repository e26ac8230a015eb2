import { eventKinds, limits } from "@belfry/contract";
import { webhookBodyBytesMax } from "@belfry/webhook-schema";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RetentionInput } from "../../../../packages/contract/src/modules/tasks/retention.ts";
import { defaultRemote } from "../../../../packages/server/src/kernel/config/remote-config.ts";
import { indexBytesMax } from "../../../../packages/server/src/runner/output/order-record.ts";
import { repository } from "../../../scripts/run-command.ts";

const readText = (path: string): string => readFileSync(join(repository, path), "utf8");

/** The value of a constant of a file, which may be private: a product of numbers. */
function valueOf(path: string, name: string): number {
  const found = new RegExp(`const ${name} = ([\\d_ *]+);`).exec(readText(`packages/server/src/${path}`));
  if (found === null) throw new Error(`${path} has no constant ${name}`);
  return found[1]!.split("*").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1);
}

const numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const word = (value: number): string => numbers[value] ?? String(value);
const count = (value: number): string => value.toLocaleString("en-US");
const seconds = (ms: number): number => ms / 1_000;
const hours = (ms: number): number => ms / 3_600_000;
const kib = (bytes: number): number => bytes / 1024;
const mib = (bytes: number): number => bytes / 1024 ** 2;

const retention = RetentionInput.parse({});
const remote = defaultRemote.limits;
const subscriber = "features/events/subscriber.ts";
const listen = "transports/remote/listen.ts";
const serveFire = "transports/fire/serve-fire.ts";
const listenFire = "transports/fire/listen.ts";
const [firstRetryMs, secondRetryMs] = limits.webhookRetryDelaysMs;

/** The figures that sentences of the pages contain, each as the code has it. */
const figures: readonly (readonly [page: string, part: string])[] = [
  ["access.md", `${word(limits.pairingTriesMax)} tries were used up`],
  ["access.md", `at most ${word(limits.pairingMaxMs / 60_000)} minutes`],
  ["chains.md", `to ${limits.chainDelayMaxMs / 86_400_000} days`],
  ["events.md", `After ${seconds(valueOf("kernel/heartbeat.ts", "heartbeatMs"))} seconds without an event`],
  ["runs.md", `sends another after ${seconds(valueOf("kernel/heartbeat.ts", "heartbeatMs"))} seconds`],
  ["events.md", `at most ${count(valueOf(subscriber, "missedEventsMax"))} events of any kind`],
  ["events.md", `or ${mib(valueOf(subscriber, "missedBytesMax"))} MiB, may accumulate`],
  ["events.md", `reads nothing for ${seconds(valueOf("transports/shared/stream.ts", "stalledMs"))} seconds`],
  [
    "events.md",
    `at most ${count(valueOf(subscriber, "behindEventsMax"))} events and ${mib(valueOf(subscriber, "behindBytesMax"))} MiB`,
  ],
  ["fire-socket.md", `The first ${valueOf(serveFire, "unknownKeysBurst")} are answered at once`],
  ["fire-socket.md", `every other answer waits ${valueOf(serveFire, "unknownKeyPauseMs")} ms`],
  ["fire-socket.md", `at most ${kib(valueOf(serveFire, "bodyBytesMax"))} KiB of body`],
  ["fire-socket.md", `${kib(valueOf(listenFire, "headerBytesMax"))} KiB of headers`],
  ["fire-socket.md", `within ${seconds(valueOf(listenFire, "headersTimeoutMs"))} seconds`],
  ["fire-socket.md", `the whole request within ${seconds(valueOf(listenFire, "requestTimeoutMs"))}.`],
  ["fire-socket.md", `the newest ${valueOf("fire-transport.ts", "waitingMax")} stay open`],
  ["fire-socket.md", `At most ${count(valueOf(listenFire, "connectionsMax"))} connections`],
  ["import-crontab.md", `a file of more than ${limits.importItemsMax} jobs`],
  ["notifications.md", `A host name has at most ${limits.hostCharactersMax} characters`],
  ["notifications.md", `the previous secret for ${hours(limits.formerSigningSecretMs)} hours`],
  [
    "notifications.md",
    `at most ${word(limits.webhookAttemptsMax)} attempts of ${word(seconds(limits.webhookTimeoutMs))} seconds each`,
  ],
  [
    "notifications.md",
    `at most ${kib(valueOf("features/deliveries/sending/http-exchange.ts", "restBytesMax"))} KiB of the body`,
  ],
  [
    "notifications.md",
    `start ${seconds(firstRetryMs)} s after the first failure and ${seconds(secondRetryMs)} s after the second`,
  ],
  ["notifications.md", `One call queues at most ${count(limits.redeliveriesMax)} deliveries`],
  [
    "notifications.md",
    `After ${seconds(valueOf("features/deliveries/sending/name-servers.ts", "askAgainMs"))} s without an answer`,
  ],
  ["receive-webhooks.md", `at most ${kib(webhookBodyBytesMax)} KiB, before`],
  ["receive-webhooks.md", `| ${seconds(limits.webhookTimeoutMs)} seconds`],
  ["receive-webhooks.md", `| ${limits.webhookAttemptsMax} attempts`],
  ["receive-webhooks.md", `For ${hours(limits.formerSigningSecretMs)} hours, the daemon signs with both`],
  ["receive-webhooks.md", `at most ${word(limits.formerSigningSecretsMax)} previous ones`],
  ["remote-api.md", `| ${remote.enrollmentsPerMinute} a minute`],
  ["remote-api.md", `| ${count(remote.connections)}; ${remote.connectionsPerCredential} of one credential`],
  [
    "remote-api.md",
    `| ${remote.unauthenticatedConnections}; ${remote.unauthenticatedConnectionsPerAddress} of one address`,
  ],
  ["remote-api.md", `${word(seconds(valueOf(listen, "handshakeTimeoutMs")))} seconds for its handshake`],
  ["remote-api.md", `${word(seconds(valueOf(listen, "headersTimeoutMs")))} for the headers of a request`],
  ["remote-api.md", `Headers are limited to ${kib(valueOf(listen, "headerBytesMax"))} KiB`],
  ["remote-api.md", `every ${word(seconds(valueOf("features/remote/upkeep.ts", "retryMs")))} seconds`],
  ["remote.md", `for ${word(limits.pairingMaxMs / 60_000)} minutes`],
  ["runs.md", `A task queues at most ${count(limits.queuedRunsPerTaskMax)} runs`],
  ["runs.md", `(−${-limits.priorityMin} to ${limits.priorityMax}, higher first)`],
  ["runs.md", `Up to 1/${2 * valueOf("runner/output/kept-pieces.ts", "piecesMax")} of the limit`],
  ["runs.md", `an eighth of it and ${kib(indexBytesMax(0))} KiB more`],
  ["runs.md", `Reads of one stream within ${valueOf("runner/output/index-file.ts", "mergeMs")} ms`],
  ["schedules.md", `at least \`${seconds(limits.intervalMinMs)}s\``],
  [
    "schedules.md",
    `more than ${seconds(valueOf("features/schedules/ticking/misfire.ts", "latenessMaxMs"))} seconds late`,
  ],
  ["schedules.md", `at most ${word(hours(valueOf("features/schedules/ticking/ticker.ts", "cursorWaitMaxMs")))} hours`],
  ["schedules.md", `more than ${count(valueOf("features/schedules/spread.ts", "comparedMax"))} times a year`],
  ["schedules.md", `the first ${valueOf("features/schedules/timing/clock-gap.ts", "localsMax")} of`],
  ["security.md", `at most ${remote.publicRequestsPerMinute} wrong tokens a minute`],
  ["security.md", `random bits and ${word(limits.pairingTriesMax)} tries`],
  ["triggers.md", `the task's queue of ${count(limits.queuedRunsPerTaskMax)} is full`],
  ["triggers.md", `1 to ${limits.triggerSetMembersMax} triggers of one task`],
  [
    "troubleshooting.md",
    `at most ${retention.runs} runs, for ${Number.parseInt(retention.age)} days, with ${retention.bytes / 1024 ** 3} GiB`,
  ],
  ["watchers.md", `at most ${count(limits.watchedPathBytesMax)} bytes`],
  ["watchers.md", `A pattern has at most ${limits.watcherPatternBytesMax} bytes`],
  ["watchers.md", `between ${limits.watcherPauseMinMs} ms and ${word(hours(limits.watcherPauseMaxMs))} hour`],
  ["watchers.md", `at most ${count(limits.watchedFilesMax)} files`],
  ["watchers.md", `every ${seconds(valueOf("features/watchers/observing/periods.ts", "checkMs"))} seconds`],
];

test("the table of the events has every kind of event", () => {
  const kinds = readText("docs/events.md").matchAll(/^\| `(\w+)` \| `/gm);
  expect([...kinds].map(([, kind]) => kind)).toEqual([...eventKinds]);
});

test.each(figures)("a figure of %s is the one of the code: %s", (page, part) => {
  expect(readText(`docs/${page}`)).toContain(part);
});
