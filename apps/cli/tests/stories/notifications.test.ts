import type {
  EffectiveNotifications,
  NotificationChannel,
  NotificationDelivery,
  NotificationDeliveryList,
  NotificationRedelivery,
} from "@belfry/client";
import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseWebhook } from "@belfry/webhook-schema";
import { createTestDelivery, fixtures } from "@belfry/webhook-schema/testing";
import { expect, test } from "vitest";
import { answerWith, startReceiver } from "../../../../packages/server/tests/support/receiver.ts";
import { advanceUntil, getDelivery } from "../../../../packages/server/tests/support/channels.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { formatLocal } from "../../src/output/time.ts";
import { startBelfry } from "../belfry.ts";
import { callBelfry } from "../call.ts";

const secret = `whsec_${Buffer.alloc(24, "s").toString("base64")}`;

/** A file with an invalid signing secret. */
const noSecret = join(import.meta.dirname, "../fixtures/no-secret");

async function secretFiles() {
  const dir = await tempDir("bs-");
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(dir.path, name), `${text}\n`);
    return join(dir.path, name);
  };
  return {
    token: await file("token", "Bearer planted-token"),
    signing: await file("signing", secret),
    file,
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test("a channel reads its secrets from files and the terminal, and no output shows them", async () => {
  await using belfry = await startBelfry();
  await using files = await secretFiles();
  const url = "https://hooks.example.com/planted-path";
  const fromInput = await belfry.call(
    ["channel", "add", "Ops", "--endpoint-file", "-", "--authorization-file", files.token],
    {
      stdin: `${url}\n`,
    },
  );
  expect(fromInput).toMatchObject({ code: 0, stderr: "" });
  expect(fromInput.stdout).toMatch(/^Added channel "Ops" \(nch_\w{20}\)/);
  const asked = await belfry.call(["channel", "add", "Chat"], { typed: { keys: [`${url}\r`], setRawMode: () => {} } });
  expect(asked).toMatchObject({ code: 0, stderr: "Endpoint (not shown): \n" });
  await belfry.text("channel", "rotate", "Chat", "--signing-secret-file", files.signing);
  await belfry.text("channel", "rotate", "Ops", "--no-authorization-file");
  await belfry.text("channel", "edit", "Ops", "--name", "On call");
  await belfry.text("channel", "disable", "on call");
  expect(await belfry.json<NotificationChannel>("channel", "show", "On call")).toMatchObject({
    endpoint_summary: "https://hooks.example.com",
    has_authorization: false,
    enabled: false,
  });
  const output = [fromInput.stdout, asked.stdout];
  for (const words of ["channel list", "channel show Chat", "--json channel list", "audit list"])
    output.push(await belfry.text(...words.split(" ")));
  for (const text of output) expect(text).not.toMatch(/planted|whsec/);
  await belfry.text("channel", "enable", "On call");
  expect((await belfry.call(["channel", "show", "On call"])).stderr).toContain(
    'No task or group notifies it. Assign it with: belfry notify set <task> --on-failure "On call"',
  );
  await belfry.text("group", "add", "Web");
  await belfry.text("task", "add", "Sync", "--group", "Web", "--", "true");
  await belfry.text("task", "add", "Backup", "--", "true");
  await belfry.text("notify", "set", "Sync", "--on-failure", "On call");
  await belfry.text("notify", "set", "Backup", "--on-any", "On call", "--on-failure", "Chat");
  await belfry.text("notify", "set", "--group", "Web", "--on-success", "On call");
  expect((await belfry.call(["channel", "show", "On call"])).stdout.split("\n\n")[1]).toBe(
    "NOTIFIED BY\tNAME\tON\ntask\tBackup\tsuccess, failure\ngroup\tWeb\tsuccess\ntask\tWeb/Sync\tfailure\n",
  );
  expect(await belfry.text("channel", "delete", "On call")).toBe(
    'Deleted channel "On call". No longer notifying it: task Backup, group Web, task Web/Sync\n',
  );
  expect(await belfry.text("channel", "delete", "Chat")).toBe(
    'Deleted channel "Chat". No longer notifying it: task Backup\n',
  );
  expect((await belfry.call(["channel", "show", "On call"])).code).toBe(3);
});

test("a new host for a channel removes its authorization, and the command says how to set it again", async () => {
  await using belfry = await startBelfry();
  await using files = await secretFiles();
  const url = (host: string) => files.file(host, `https://${host}/planted-path`);
  const [a, b] = [await url("a.example"), await url("b.example")];
  await belfry.text("channel", "add", "Ops", "--endpoint-file", a, "--authorization-file", files.token);
  const edit = (...words: readonly string[]) => belfry.call(["channel", "edit", "Ops", ...words]);
  expect(await edit("--endpoint-file", await files.file("path", "https://a.example/other"))).toMatchObject({
    code: 0,
    stderr: "",
  });
  const moved = await edit("--endpoint-file", b);
  expect(moved).toMatchObject({ code: 0, stdout: 'Changed channel "Ops"\n' });
  expect(moved.stderr).toBe(
    'Warning: the stored authorization was removed because the endpoint moved to https://b.example. Set a new one with: belfry channel rotate "Ops" --authorization-file <file>\n',
  );
  // there is no authorization left to remove
  expect(await edit("--endpoint-file", a)).toMatchObject({ code: 0, stderr: "" });
});

test("a generated signing secret is printed once, signs deliveries, and is shown nowhere else", async () => {
  await using belfry = await startBelfry();
  await using files = await secretFiles();
  await using receiver = await startReceiver();
  const wrong = await belfry.call([
    "channel",
    "add",
    "Ops",
    "--endpoint-file",
    await files.file("ftp", "ftp://a.example/"),
  ]);
  expect(wrong.stderr).toBe(
    "belfry: the text in --endpoint-file must begin with https://, or with http:// for a receiver on the daemon's machine\n",
  );
  const endpoint = ["--endpoint-file", await files.file("url", receiver.url)];
  const added = await belfry.text("channel", "add", "Ops", ...endpoint, "--generate-signing-secret");
  const [generated] = /whsec_[A-Za-z0-9+/]{43}=/.exec(added)!;
  expect(added).toBe(
    `Added channel "Ops" (${/nch_\w+/.exec(added)![0]}). Test it with: belfry channel test "Ops"\nSigning secret: ${generated}\nThis secret is not shown again. Configure your receiver with it now.\n`,
  );
  const json = await belfry.json<NotificationChannel & { signing_secret: string }>(
    "channel",
    "add",
    "Chat",
    ...endpoint,
    "--generate-signing-secret",
  );
  expect(json).toMatchObject({ name: "Chat", has_signing_secret: true });
  const rotated = await belfry.json<{ signing_secret: string }>(
    "channel",
    "rotate",
    "Chat",
    "--generate-signing-secret",
  );
  const printed = await belfry.text("channel", "rotate", "Chat", "--generate-signing-secret");
  const all = [generated, json.signing_secret, rotated.signing_secret, /whsec_\S+/.exec(printed)![0]];
  expect(new Set(all).size).toBe(4);
  for (const [channel, secrets] of [
    ["Ops", all.slice(0, 1)],
    ["Chat", all.slice(1)],
  ] as const) {
    await belfry.text("channel", "test", channel, "--wait");
    const { headers, body } = receiver.requests.at(-1)!;
    for (const one of secrets) await parseWebhook(headers, body, { secret: one });
  }
  for (const words of ["channel list", "channel show Ops", "--json channel show Ops", "audit list"])
    expect(await belfry.text(...words.split(" "))).not.toContain("whsec");
});

test.each([
  [["channel", "add", "x"], /missing endpoint: nothing was entered/],
  [
    ["channel", "add", "x", "--endpoint-file", "-", "--authorization-file", "-"],
    /only one value can be read from standard input/,
  ],
  [["channel", "edit", "x"], /nothing to change: give at least one option/],
  [["channel", "rotate", "x"], /nothing to change: give a secret to replace or clear/],
  [
    ["channel", "add", "x", "--signing-secret-file", noSecret, "--generate-signing-secret"],
    /--signing-secret-file and --generate-signing-secret cannot be combined\. Use one of them/,
  ],
  [
    ["channel", "rotate", "x", "--no-signing-secret-file", "--generate-signing-secret"],
    /--signing-secret-file and --generate-signing-secret cannot be combined\. Use one of them/,
  ],
  [["delivery", "redeliver"], /missing delivery id\. Give one, or use --failed with --since <time>/],
  [["delivery", "redeliver", "--failed"], /--failed requires --since <time>/],
  [["delivery", "redeliver", "dlv_x", "--failed", "--since", "1h"], /not both/],
  [["delivery", "redeliver", "dlv_x", "--channel", "x"], /--since and --channel require --failed/],
  [["delivery", "redeliver", "--failed", "--since", "1h", "--wait"], /--wait cannot be combined with --failed/],
  [["delivery", "redeliver", "--failed", "--since", "soon"], /cannot parse "soon" as a time for --since/],
  [["notify", "set", "x"], /missing channel\. Use --on-failure[^]*notify clear/],
  [["notify", "show"], /give either a task, or a group/],
  [
    ["webhook", "listen", "--port", "0", "--signing-secret-file", noSecret],
    /invalid signing secret\. Use whsec_ followed by 24 to 64 bytes in base64/,
  ],
  [
    ["webhook", "send", "http://127.0.0.1:9/", "--signing-secret-file", noSecret],
    /invalid signing secret\. Use whsec_ followed by/,
  ],
  [["webhook", "send", "ftp://x"], /must begin with http/],
  [["webhook", "send", "http://user:pass@127.0.0.1/"], /--authorization-file/],
] as const)("belfry %s exits with 2 and says what to do", async (words, message) => {
  await using belfry = await startBelfry();
  await belfry.daemon.call("POST", "/v1/notification-channels", { name: "x", endpoint: "https://a.example/" });
  const { code, stderr } = await belfry.call(words);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test("a task inherits the channels of its group, unless it has its own", async () => {
  await using belfry = await startBelfry();
  for (const name of ["Ops", "Chat"])
    await belfry.daemon.call("POST", "/v1/notification-channels", { name, endpoint: "http://127.0.0.1:9/" });
  await belfry.text("group", "add", "Backups");
  await belfry.text("task", "add", "Nightly", "--group", "Backups", "--", "true");
  const effective = async () => {
    const { source, assignments } = await belfry.json<EffectiveNotifications>("notify", "effective", "Nightly");
    return [source?.scope ?? null, assignments.length];
  };
  expect(await effective()).toEqual([null, 0]);
  expect((await belfry.call(["notify", "effective", "Nightly"])).stderr).toMatch(
    /No notifications apply to task "Nightly"\. Assign a channel with: belfry notify set "Nightly" --on-failure <channel>/,
  );
  expect(await belfry.text("notify", "set", "--group", "Backups", "--on-failure", "Ops")).toMatch(
    /^1 channel is now notified for group "Backups"$/m,
  );
  expect(await effective()).toEqual(["group", 1]);
  await belfry.text("notify", "set", "Nightly", "--on-any", "Ops", "--on-success", "Chat", "--on-failure", "Ops");
  expect(await effective()).toEqual(["task", 2]);
  expect(await belfry.text("notify", "show", "Nightly")).toMatch(
    /Chat\s+success\s+enabled[^]*Ops\s+success, failure|Ops\s+success, failure[^]*Chat\s+success/,
  );
  expect(await belfry.text("notify", "effective", "Nightly")).toMatch(/^Set on task "Nightly":/);
  await belfry.text("notify", "clear", "Nightly");
  expect(await effective()).toEqual(["group", 1]);
});

test("a channel test reports its result, and its delivery can be inspected and resent", async () => {
  await using belfry = await startBelfry();
  await using receiver = await startReceiver();
  const endpoint = { stdin: receiver.url };
  await belfry.call(["channel", "add", "Here", "--endpoint-file", "-"], endpoint);
  expect(await belfry.text("channel", "test", "Here", "--wait")).toMatch(/^Delivered: the receiver responded with 204/);
  receiver.behave(answerWith(500));
  const failed = await belfry.call(["channel", "test", "Here", "--wait"]);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(/^Not delivered after 3 attempts: the receiver responded with status 500 \(dlv_\w+\)/);
  const list = await belfry.json<NotificationDeliveryList>(
    "delivery",
    "list",
    "--channel",
    "Here",
    "--state",
    "failed",
  );
  const { id } = list.notification_deliveries[0]!;
  expect(await belfry.text("delivery", "list")).toMatch(/Here\s+test\s+failed\s+3\s+500/);
  expect(await belfry.text("delivery", "show", id)).toMatch(/Last status\s+500[^]*"schema": "service.webhook.v1"/);
  receiver.behave(answerWith(200));
  const again = await belfry.json<NotificationDelivery>("delivery", "redeliver", id, "--wait");
  expect(again).toMatchObject({ state: "succeeded", attempt_count: 1 });
  expect(again.id).not.toBe(id);
});

test("one command resends the deliveries that failed while a receiver was down, and each only once", async () => {
  // begins in the past, because the test advances this clock and it must stay behind the command's own clock
  const clock = new ManualClock(new Date(Date.now() - 60_000).toISOString());
  await using belfry = await startBelfry({ clock });
  await using receiver = await startReceiver({ behave: answerWith(500) });
  for (const name of ["Ops", "Chat"])
    await belfry.call(["channel", "add", name, "--endpoint-file", "-"], { stdin: receiver.url });
  const failed: string[] = [];
  for (const name of ["Ops", "Chat", "Ops"]) {
    const { id } = await belfry.json<NotificationDelivery>("channel", "test", name);
    await advanceUntil(clock, "its end", async () => (await getDelivery(belfry.daemon, { id })).state === "failed");
    failed.push(id);
  }
  receiver.behave(answerWith(200));
  const redeliver = (...words: readonly string[]) => belfry.call(["delivery", "redeliver", "--failed", ...words]);
  await belfry.text("channel", "disable", "Chat");
  expect(await redeliver("--since", "1h")).toMatchObject({
    code: 0,
    stdout: 'Queued 2 deliveries to resend\nSkipped 1 delivery to "Chat": the channel is disabled\n',
  });
  await belfry.text("channel", "enable", "Chat");
  const json = await belfry.json<NotificationRedelivery>(
    "delivery",
    "redeliver",
    "--failed",
    "--since",
    "1h",
    "--channel",
    "Chat",
  );
  expect(json.deliveries.map(({ redelivery_of: former }) => former)).toEqual([failed[1]]);
  expect(await belfry.text("delivery", "show", json.deliveries[0]!.id)).toMatch(
    new RegExp(`^Redelivery of +${failed[1]}$`, "m"),
  );
  expect((await redeliver("--since", "1h")).stdout).toBe(
    'Nothing to resend\nSkipped 2 deliveries to "Ops": already resent\nSkipped 1 delivery to "Chat": already resent\n',
  );
  expect((await redeliver("--since", "now")).stdout).toMatch(/^No deliveries have failed since \d{4}-/);
  expect((await redeliver("--since", "now", "--channel", "Ops")).stdout).toMatch(
    /^No deliveries to this channel have failed since \d{4}-/,
  );
  await until("the last request", () => receiver.requests.length === 9 + 3);
});

test("doctor, list and show report a failing channel until it delivers again", async () => {
  const clock = new ManualClock("2026-11-21T01:00:00Z");
  await using belfry = await startBelfry({ clock });
  await using receiver = await startReceiver({ behave: answerWith(500) });
  for (const name of ["Ops", "Chat", "Off"])
    await belfry.call(["channel", "add", name, "--endpoint-file", "-"], { stdin: receiver.url });
  const tryOut = async (name: string, state: string): Promise<void> => {
    const { id } = await belfry.json<NotificationDelivery>("channel", "test", name);
    await advanceUntil(clock, state, async () => (await getDelivery(belfry.daemon, { id })).state === state);
  };
  const findings = async () => (await belfry.json<{ findings: readonly Finding[] }>("doctor")).findings;
  const finding = async () => (await findings()).find(({ subject }) => subject === "channels");
  expect(await finding()).toMatchObject({ level: "good", text: "3 channels, none failing" });
  for (const name of ["Ops", "Ops", "Off"]) await tryOut(name, "failed");
  await belfry.text("channel", "disable", "Off");
  const { failing_since: since } = await belfry.json<NotificationChannel>("channel", "show", "Ops");
  // a disabled channel is not reported
  expect(await finding()).toMatchObject({
    level: "warn",
    text: `failing: Ops (2 failed deliveries since ${formatLocal(since)}). List the failures with: belfry delivery list --state failed`,
  });
  expect(await belfry.text("channel", "show", "Ops")).toContain(`2 failed deliveries since ${formatLocal(since)}`);
  const list = await belfry.text("channel", "list");
  expect(list).toMatch(/^NAME +ENDPOINT +STATE +FAILED +FAILING SINCE/);
  expect(list).toMatch(/Ops +\S+ +failing +2 +2026-11-2/);
  expect(list).toMatch(/Chat +\S+ +enabled +0 +-/);
  expect(list).toMatch(/Off +\S+ +disabled +1 +2026-11-2/);
  receiver.behave(answerWith(200));
  await tryOut("Ops", "succeeded");
  expect(await finding()).toMatchObject({ level: "good" });
  expect(await belfry.text("channel", "show", "Ops")).not.toContain("failed deliveries");
});

test("listen prints and checks webhooks, and detects a forged one", async () => {
  await using belfry = await startBelfry();
  await using files = await secretFiles();
  let notes = "";
  const secrets = ["--authorization-file", files.token, "--signing-secret-file", files.signing];
  const listening = callBelfry(["webhook", "listen", "--port", "0", "--count", "2", ...secrets], {
    onStderr: (text) => (notes += text),
  });
  const url = await until("its address", () => /http:\S+/.exec(notes)?.[0]);
  await belfry.text("channel", "add", "Here", "--endpoint-file", await files.file("url", url), ...secrets);
  await belfry.text("channel", "test", "Here", "--wait");
  const forged = await callBelfry([
    "webhook",
    "send",
    url,
    "--fixture",
    "success",
    "--authorization-file",
    files.token,
  ]);
  expect(forged).toMatchObject({ code: 0, stdout: expect.stringMatching(/responded with 204/) });
  const { code, stdout } = await listening;
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /ok {3}test {2}dlv_\w+\n[^]*BAD {2}run\.completed {2}dlv_\w+ {2}Nightly backup: success: webhook-id is missing/,
  );
  expect(stdout).not.toMatch(/planted|whsec/);
});

/** Names from the help of the command. */
async function exampleNames(): Promise<readonly string[]> {
  const { stdout } = await callBelfry(["webhook", "send", "--help"]);
  const [, names = ""] = /sample to send: (.*?)\s+\(default\s+failure\)/s.exec(stdout) ?? [];
  return names.split(",").map((name) => name.trim());
}

test("listen reports every problem of a request", async () => {
  await using files = await secretFiles();
  let notes = "";
  const secrets = ["--authorization-file", files.token, "--signing-secret-file", files.signing];
  const listening = callBelfry(["webhook", "listen", "--port", "0", "--count", "7", ...secrets], {
    onStderr: (text) => (notes += text),
  });
  const url = await until("its address", () => /http:\S+/.exec(notes)?.[0]);
  const authorization = "Bearer planted-token";
  const right = await createTestDelivery({ secret, authorization });
  const post = async (change: { method?: string; headers?: Record<string, string>; body?: string | Buffer }) => {
    const response = await fetch(url, { ...right, ...change, headers: { ...right.headers, ...change.headers } });
    expect(response.status).toBe(204);
  };
  await post({});
  await post({ method: "PUT", headers: { "Content-Type": "text/plain", Authorization: "Bearer other" } });
  await post({ headers: { "X-Service-Event": "test" } });
  await post({ body: right.body.replace("Nightly", "Mightly") });
  // the signature covers all bytes, including invalid UTF-8
  await post({ body: Buffer.concat([Buffer.from(right.body.slice(0, -1)), Buffer.from([0xff])]) });
  await post({ ...(await createTestDelivery({ secret, authorization, now: Date.now() - 3_600_000 })) });
  await post({ body: JSON.stringify({ ...fixtures.test, schema: "service.webhook.v2" }) });
  const { code, stdout } = await listening;
  const run = `run.completed  ${fixtures.success.delivery.id}  Nightly backup: success`;
  const noFit =
    "No signature matches. The receiver's secret is not the channel's, or the body is not byte for byte the signed body.";
  expect(stdout.match(/(?:ok {3}|BAD {2}).*/g)).toEqual([
    `ok   ${run}`,
    "BAD  invalid webhook: The method is PUT, not POST. Content-Type must be application/json. The Authorization header does not have the expected value.",
    "BAD  invalid webhook: X-Service-Event differs from the body's event.",
    `BAD  ${run.replace("Nightly", "Mightly")}: ${noFit}`,
    `BAD  invalid webhook: The body is not JSON in UTF-8, or it is nested too deeply. ${noFit}`,
    expect.stringContaining(`BAD  ${run}: The signature's time must be within 300 s of now`),
    expect.stringMatching(/^BAD {2}invalid webhook: schema must be .* No signature matches/),
  ]);
  expect(code).toBe(1);
});

test("send sends each sample as the daemon would, and reports a failure with its exit code", async () => {
  await using receiver = await startReceiver({ isOfDaemon: false });
  await using files = await secretFiles();
  const examples = Object.values(fixtures);
  for (const fixture of await exampleNames()) {
    const sent = await callBelfry([
      "webhook",
      "send",
      receiver.url,
      "--fixture",
      fixture,
      "--signing-secret-file",
      files.signing,
    ]);
    expect(sent.code).toBe(0);
    const { headers, body } = receiver.requests.at(-1)!;
    const payload = await parseWebhook(headers, body, { secret });
    expect(examples).toContainEqual(payload);
    expect(headers["user-agent"]).toBe("service/1.4.0");
  }
  expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(examples.length);
  receiver.behave(answerWith(302, { location: "http://127.0.0.1:9/" }));
  const fromFile = await callBelfry(["webhook", "send", "--url-file", await files.file("url", receiver.url)]);
  expect([fromFile.code, fromFile.stdout]).toEqual([1, expect.stringMatching(/responded with 302/)]);
  expect(fromFile.stdout).not.toContain("planted");
  const nobody = await callBelfry(["webhook", "send", "http://127.0.0.1:9/"]);
  expect([nobody.code, nobody.stdout]).toEqual([1, expect.stringMatching(/is unreachable/)]);
});
