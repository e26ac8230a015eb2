import type {
  EffectiveNotifications,
  NotificationChannel,
  NotificationDelivery,
  NotificationDeliveryList,
} from "@belfry/client";
import { tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerWith, startReceiver } from "../../../../packages/server/tests/webhooks/receiver.ts";
import { startBelfry } from "../belfry.ts";
import { callBelfry } from "../call.ts";

const secret = `whsec_${Buffer.alloc(24, "s").toString("base64")}`;

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

test("a channel is added with its secrets from files and the terminal, and nothing that is said shows them", async () => {
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
  expect(fromInput.stdout).toMatch(/^Added the channel "Ops" \(nch_\w{20}\)/);
  const asked = await belfry.call(["channel", "add", "Chat"], { typed: { keys: [`${url}\r`], setRawMode: () => {} } });
  expect(asked).toMatchObject({ code: 0, stderr: "Endpoint (not shown): \n" });
  await belfry.say("channel", "rotate", "Chat", "--signing-secret-file", files.signing);
  await belfry.say("channel", "rotate", "Ops", "--no-authorization-file");
  await belfry.say("channel", "edit", "Ops", "--name", "On call");
  await belfry.say("channel", "disable", "on call");
  expect(await belfry.json<NotificationChannel>("channel", "show", "On call")).toMatchObject({
    endpoint_summary: "https://hooks.example.com",
    has_authorization: false,
    enabled: false,
  });
  const said = [fromInput.stdout, asked.stdout];
  for (const words of ["channel list", "channel show Chat", "--json channel list", "audit list"])
    said.push(await belfry.say(...words.split(" ")));
  for (const text of said) expect(text).not.toMatch(/planted|whsec/);
  await belfry.say("channel", "enable", "On call");
  await belfry.say("channel", "delete", "On call");
  expect((await belfry.call(["channel", "show", "On call"])).code).toBe(3);
});

test.each([
  [["channel", "add", "x"], /there is no endpoint on standard input/],
  [["channel", "add", "x", "--endpoint-file", "-", "--authorization-file", "-"], /only one of these/],
  [["channel", "edit", "x"], /what shall change\?/],
  [["channel", "rotate", "x"], /what shall be replaced or cleared\?/],
  [["notify", "set", "x"], /who shall be told\?[^]*notify clear/],
  [["notify", "show"], /name a task, or a group/],
  [["webhook", "send", "ftp://x"], /must begin with http/],
  [["webhook", "send", "http://user:pass@127.0.0.1/"], /--authorization-file/],
] as const)("belfry %s is refused with the way out", async (words, says) => {
  await using belfry = await startBelfry();
  await belfry.daemon.call("POST", "/v1/notification-channels", { name: "x", endpoint: "https://a.example/" });
  const { code, stderr } = await belfry.call(words);
  expect(code).toBe(2);
  expect(stderr).toMatch(says);
});

test("a group's assignments hold for a task until it has its own, and again once those are cleared", async () => {
  await using belfry = await startBelfry();
  for (const name of ["Ops", "Chat"])
    await belfry.daemon.call("POST", "/v1/notification-channels", { name, endpoint: "http://127.0.0.1:9/" });
  await belfry.say("group", "add", "Backups");
  await belfry.say("task", "add", "Nightly", "--group", "Backups", "--", "true");
  const effective = async () => {
    const { source, assignments } = await belfry.json<EffectiveNotifications>("notify", "effective", "Nightly");
    return [source?.scope ?? null, assignments.length];
  };
  expect(await effective()).toEqual([null, 0]);
  expect((await belfry.call(["notify", "effective", "Nightly"])).stderr).toMatch(/Nobody is told/);
  expect(await belfry.say("notify", "set", "--group", "Backups", "--on-failure", "Ops")).toMatch(
    /The group "Backups" now tells 1 channel/,
  );
  expect(await effective()).toEqual(["group", 1]);
  await belfry.say("notify", "set", "Nightly", "--on-any", "Ops", "--on-success", "Chat", "--on-failure", "Ops");
  expect(await effective()).toEqual(["task", 2]);
  expect(await belfry.say("notify", "show", "Nightly")).toMatch(
    /Chat\s+success\s+enabled[^]*Ops\s+success, failure|Ops\s+success, failure[^]*Chat\s+success/,
  );
  expect(await belfry.say("notify", "effective", "Nightly")).toMatch(/^By the task "Nightly":/);
  await belfry.say("notify", "clear", "Nightly");
  expect(await effective()).toEqual(["group", 1]);
});

test("a test tells how it went, and a delivery can be looked at and sent once more", async () => {
  await using belfry = await startBelfry();
  await using receiver = await startReceiver();
  const endpoint = { stdin: receiver.url };
  await belfry.call(["channel", "add", "Here", "--endpoint-file", "-"], endpoint);
  expect(await belfry.say("channel", "test", "Here", "--wait")).toMatch(/^Delivered: the receiver answered 204/);
  receiver.behave(answerWith(500));
  const failed = await belfry.call(["channel", "test", "Here", "--wait"]);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(/^Not delivered after 3 attempts: the receiver answered 500 \(dlv_\w+\)/);
  const list = await belfry.json<NotificationDeliveryList>(
    "delivery",
    "list",
    "--channel",
    "Here",
    "--state",
    "failed",
  );
  const { id } = list.notification_deliveries[0]!;
  expect(await belfry.say("delivery", "list")).toMatch(/Here\s+test\s+failed\s+3\s+500/);
  expect(await belfry.say("delivery", "show", id)).toMatch(/Last status\s+500[^]*"schema": "service.webhook.v1"/);
  receiver.behave(answerWith(200));
  const again = await belfry.json<NotificationDelivery>("delivery", "redeliver", id, "--wait");
  expect(again).toMatchObject({ state: "succeeded", attempt_count: 1 });
  expect(again.id).not.toBe(id);
});

test("listen prints and checks what the daemon sends; what is forged is told from it", async () => {
  await using belfry = await startBelfry();
  await using files = await secretFiles();
  let heard = "";
  const words = ["webhook", "listen", "--port", "0", "--count", "2", "--json"];
  const listening = callBelfry(
    [
      ...words.filter((word) => word !== "--json"),
      "--authorization-file",
      files.token,
      "--signing-secret-file",
      files.signing,
    ],
    { onStderr: (text) => (heard += text) },
  );
  const url = await until("its address", () => /http:\S+/.exec(heard)?.[0]);
  const secrets = ["--authorization-file", files.token, "--signing-secret-file", files.signing];
  await belfry.say("channel", "add", "Here", "--endpoint-file", await files.file("url", url), ...secrets);
  await belfry.say("channel", "test", "Here", "--wait");
  const forged = await callBelfry([
    "webhook",
    "send",
    url,
    "--fixture",
    "success",
    "--authorization-file",
    files.token,
  ]);
  expect(forged).toMatchObject({ code: 0, stdout: expect.stringMatching(/answered 204/) });
  const { code, stdout } = await listening;
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /ok {3}test {2}dlv_\w+\n[^]*BAD {2}run\.completed {2}dlv_\w+ {2}Nightly backup: success: it is not signed/,
  );
  expect(stdout).not.toMatch(/planted|whsec/);
});

test("send sends each example as the daemon would, and tells a failure by its exit code", async () => {
  await using receiver = await startReceiver();
  await using files = await secretFiles();
  for (const fixture of ["failure", "success", "no-group", "test"]) {
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
    expect(JSON.parse(body)).toMatchObject({
      schema: "service.webhook.v1",
      delivery: { id: headers["x-service-delivery"] },
    });
    expect(headers["webhook-signature"]).toMatch(/^v1,/);
  }
  receiver.behave(answerWith(302, { location: "http://127.0.0.1:9/" }));
  const fromFile = await callBelfry(["webhook", "send", "--url-file", await files.file("url", receiver.url)]);
  expect([fromFile.code, fromFile.stdout]).toEqual([1, expect.stringMatching(/answered 302/)]);
  expect(fromFile.stdout).not.toContain("planted");
  const nobody = await callBelfry(["webhook", "send", "http://127.0.0.1:9/"]);
  expect([nobody.code, nobody.stdout]).toEqual([1, expect.stringMatching(/was not reached/)]);
});
