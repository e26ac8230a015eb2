import { catalogue } from "@belfry/contract";
import { filesBelow, tempDir, until } from "@belfry/test-kit";
import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Answer } from "../support/harness.ts";
import { sharedReceiver } from "../support/receiver.ts";
import { enrollmentOf, fresh } from "../support/api.ts";
import { localOperations, seen, send } from "../support/call.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { enrollmentRequest, remoteCallOf } from "../support/remote-call.ts";
import { samples } from "../support/samples.ts";
import { secretPaths } from "../support/secret-paths.ts";
import { openStream } from "../support/stream.ts";

const daemons = useDaemonProcess();

const mark = (what: string): string => `planted-${what}-3Vq9ZtXw`;
const planted = [
  "group",
  "group-patch",
  "task",
  "task-patch",
  "input",
  "input-patch",
  "import-group",
  "import-task",
  "import-input",
  "key",
  "endpoint",
  "authorization",
  "signing",
  "endpoint-patch",
  "authorization-rotated",
  "signing-rotated",
  "phrase",
  "passphrase",
] as const;
const signingSecret = (what: string): string => `whsec_${Buffer.from(mark(what)).toString("base64")}`;
/** A number of seconds that no other process of the machine sleeps. */
const sleepSeconds = `1${process.pid}`;
const script = `cat > /dev/null; sleep ${sleepSeconds}`;

/** Plants a secret in every member that accepts one; returns the ids of the resources. */
async function plant(daemon: DaemonProcess) {
  const group = await daemon.call("POST", "/v1/groups", { name: "g", environment: { TOKEN: mark("group") } });
  await daemon.call("PATCH", `/v1/groups/${group.json.id}`, { environment: { OTHER: mark("group-patch") } });
  const task = await daemon.call("POST", "/v1/tasks", {
    name: "t",
    group_id: group.json.id,
    command: { kind: "shell", script },
    kill_grace: "0s",
    environment: { TOKEN: mark("task") },
    standard_input: mark("input"),
  });
  const patch = { environment: { OTHER: mark("task-patch") }, standard_input: mark("input-patch") };
  expect((await daemon.call("PATCH", `/v1/tasks/${task.json.id}`, patch)).status).toBe(200);
  const imported = await daemon.call(
    "POST",
    "/v1/import",
    {
      groups: [{ key: "g", name: "ig", environment: { TOKEN: mark("import-group") } }],
      tasks: [
        {
          key: "t",
          group_key: "g",
          name: "it",
          environment: { TOKEN: mark("import-task") },
          standard_input: mark("import-input"),
        },
      ],
    },
    { "Idempotency-Key": "imported" },
  );
  expect(imported.status).toBe(201);
  const channels = "/v1/notification-channels";
  const channel = await daemon.call("POST", channels, {
    name: "c",
    endpoint: `${(await sharedReceiver()).origin}/${mark("endpoint")}?key=${mark("endpoint")}`,
    authorization: `Bearer ${mark("authorization")}`,
    signing_secret: signingSecret("signing"),
  });
  const sent = await daemon.call("POST", `${channels}/${channel.json.id}/test`);
  const endpoint = `https://127.0.0.1:9/${mark("endpoint-patch")}`;
  expect((await daemon.call("PATCH", `${channels}/${channel.json.id}`, { endpoint })).status).toBe(200);
  const rotation = { authorization: mark("authorization-rotated"), signing_secret: signingSecret("signing-rotated") };
  expect((await daemon.call("POST", `${channels}/${channel.json.id}/rotate`, rotation)).status).toBe(200);
  const failing = await daemon.call("POST", `${channels}/${channel.json.id}/test`);
  const backup = await daemon.call("POST", "/v1/backup", { output: true, passphrase: mark("passphrase") });
  expect(backup.status).toBe(200);
  expectClean(backup.text, "a sealed backup");
  return {
    channel: channel.json.id as string,
    delivery: sent.json.id as string,
    failing: failing.json.id as string,
    group: group.json.id as string,
    task: task.json.id as string,
    importedTask: imported.json.tasks[0].id as string,
  };
}

/** Calls that fail with a secret in their input. */
async function blunder(daemon: DaemonProcess, task: string): Promise<readonly Answer[]> {
  const path = `/v1/tasks/${task}`;
  const text = `{"name":"x","environment":{"A":"${mark("task")}"`;
  return Promise.all([
    daemon.call("POST", "/v1/tasks", {
      name: "t",
      environment: { A: mark("task") },
      standard_input: mark("input"),
      surprise: mark("task"),
    }),
    daemon.call("POST", "/v1/tasks", text),
    daemon.call("PATCH", path, { environment: { A: `${mark("task")}\0` } }),
    daemon.call("PATCH", path, { environment: mark("task") }),
    daemon.call("PATCH", path, { environment: [mark("task")] }),
    daemon.call("PATCH", path, { standard_input: { text: mark("input") } }),
    daemon.call("PATCH", path, { standard_input: mark("input").repeat(30_000) }),
    daemon.call("PATCH", path, { environment: { A: mark("task").repeat(10_000) } }),
    daemon.call("POST", "/v1/triggers/fire", { key: mark("key") }),
    daemon.call("POST", "/v1/triggers/fire", { key: mark("key").repeat(20) }),
    daemon.call("POST", "/v1/triggers/fire", { key: [mark("key")] }),
    daemon.call("POST", path, { environment: { A: mark("task") } }),
    daemon.call("POST", "/v1/backup", { passphrase: [mark("passphrase")] }),
    daemon.call("POST", "/v1/backup", { passphrase: mark("passphrase").repeat(200) }),
    daemon.call("PATCH", path, { environment: { A: mark("task") } }, { "content-type": "text/plain" }),
    daemon.call("PATCH", path, { environment: { A: mark("task") } }, { "if-match": '"99"' }),
    daemon.call("POST", "/v1/notification-channels", { name: "c", endpoint: `https://a/${mark("endpoint")}#x` }),
    daemon.call("POST", "/v1/notification-channels", { name: "d", endpoint: `https://${mark("endpoint")}@a.example/` }),
    daemon.call("POST", "/v1/notification-channels", { name: "d", endpoint: `http://a.example/${mark("endpoint")}` }),
    daemon.call("POST", "/v1/notification-channels", {
      name: "d",
      endpoint: "https://a/",
      signing_secret: mark("signing"),
    }),
    daemon.call("POST", "/v1/notification-channels", {
      name: "d",
      endpoint: "https://a/",
      authorization: `${mark("authorization")} `,
    }),
    daemon.call("PATCH", "/v1/notification-channels/nch_00000000000000000000", {
      authorization: mark("authorization"),
    }),
  ]);
}

/** The command lines of all processes. */
function commandLines(): string {
  const read = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(read)
    .join("\n");
}

function expectClean(text: string, where: string): void {
  for (const what of planted) {
    for (const form of [
      mark(what),
      Buffer.from(mark(what)).toString("base64").slice(3, -4),
      Buffer.from(mark(what)).toString("hex"),
    ]) {
      expect(text.includes(form), `${what} in ${where}`).toBe(false);
    }
  }
}

async function expectFilesClean(daemon: DaemonProcess, when: string): Promise<void> {
  const files = await filesBelow(daemon.dataDir);
  expect(files.length).toBeGreaterThan(4);
  for (const file of files)
    expectClean((await readFile(file).catch(() => Buffer.alloc(0))).toString("latin1"), `${file} ${when}`);
}

test("every member marked secret has a planted marker", () => {
  const found = catalogue
    .map(seen)
    .flatMap(({ id, body }) => (body === undefined ? [] : secretPaths(body).map((path) => `${id}${path}`)));
  expect(found.sort()).toEqual([
    "access.enroll.phrase",
    "backups.create.passphrase",
    "groups.create.environment",
    "groups.update.environment",
    "import.create.groups[].environment",
    "import.create.tasks[].environment",
    "import.create.tasks[].standard_input",
    "notification_channels.create.authorization",
    "notification_channels.create.endpoint",
    "notification_channels.create.signing_secret",
    "notification_channels.rotate.authorization",
    "notification_channels.rotate.signing_secret",
    "notification_channels.update.endpoint",
    "tasks.create.environment",
    "tasks.create.standard_input",
    "tasks.update.environment",
    "tasks.update.standard_input",
    "triggers.fire.key",
  ]);
});

test("only the two reveal operations return a secret: no other answer, event, log line, file or command line has it", async () => {
  await using dir = await tempDir("bf-");
  await writeFile(join(dir.path, "config.toml"), '[log]\nlevel = "debug"\n');
  await using daemon = await daemons.start({ dataDir: dir.path });
  await using stream = await openStream(daemon.socketPath, "/v1/events");
  const ids = await plant(daemon);
  const run = await daemon.call("POST", `/v1/tasks/${ids.task}/run`, {});
  await until(
    "the run to have begun",
    async () => (await daemon.call("GET", `/v1/runs/${run.json.id}`)).json.state === "running",
  );
  await until("its script to have read its input", () => commandLines().includes(`sleep\x00${sleepSeconds}`));
  expectClean(commandLines(), "a command line");
  await expectFilesClean(daemon, "while the task runs");

  const answers: { readonly of: string; readonly text: string }[] = [];
  const callRemotely = await remoteCallOf(daemon);
  const enrollment = await enrollmentOf(daemon);
  const misenrolled = [
    { ...enrollment, phrase: mark("phrase") },
    { ...enrollment, phrase: mark("phrase").repeat(20) },
    { ...enrollment, phrase: [mark("phrase")] },
    { ...enrollment, phrase: mark("phrase"), daemon_id: "ins_another" },
  ].map((body) => callRemotely(enrollmentRequest(body)));
  for (const answer of [...(await blunder(daemon, ids.task)), ...(await Promise.all(misenrolled))]) {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    answers.push({ of: "a blunder", text: answer.text });
  }
  const revealing = new Set(["tasks.environment", "tasks.standard_input"]);
  for (const operation of localOperations) {
    if (revealing.has(operation.id)) continue;
    const sample = await samples[operation.id as keyof typeof samples](daemon);
    answers.push({ of: operation.id, text: (await send(daemon as never, operation, sample)).text });
    for (const id of Object.values(ids)) {
      if (operation.method !== "get" || !operation.path.includes("{id}")) continue;
      answers.push({
        of: operation.id,
        text: (await daemon.call("GET", `/v1${operation.path.replace("{id}", id)}`)).text,
      });
    }
  }
  for (const path of ["/v1/tasks", "/v1/groups", "/v1/audit?limit=1000", "/v1/idempotency/imported"]) {
    answers.push({ of: path, text: (await daemon.call("GET", path)).text });
  }
  answers.push({
    of: "a replay",
    text: (await daemon.call("POST", "/v1/import", { tasks: [] }, { "Idempotency-Key": "imported" })).text,
  });
  for (const { of, text } of answers) expectClean(text, `the answer of ${of}`);

  await daemon.call("POST", `/v1/runs/${run.json.id}/cancel`);
  await until("the run's end", async () => (await daemon.call("GET", `/v1/runs/${run.json.id}`)).json.ended_at);
  for (const id of [ids.delivery, ids.failing])
    await until(
      "the end of a delivery",
      async () => (await daemon.call("GET", `/v1/notification-deliveries/${id}`)).json.ended_at,
    );
  expectClean((await daemon.call("GET", "/v1/notification-deliveries")).text, "the evidence");
  const last = await daemon.call("POST", "/v1/groups", { name: fresh("last") });
  await stream.until("the last event", () => stream.frames.some(({ data }) => data.id === last.json.id));
  expectClean(JSON.stringify(stream.frames), "an event");

  expect((await daemon.call("GET", `/v1/tasks/${ids.task}/environment`)).json.environment).toEqual({
    TOKEN: mark("task"),
    OTHER: mark("task-patch"),
  });
  expect((await daemon.call("GET", `/v1/tasks/${ids.importedTask}/standard-input`)).json.standard_input).toBe(
    mark("import-input"),
  );
  await expectFilesClean(daemon, "at the end");
  expect(await daemon.stop()).toBe(0);
  expectClean(daemon.output(), "what the daemon printed");
  await expectFilesClean(daemon, "after the stop");
});
