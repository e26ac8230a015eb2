import { createHash, createHmac } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { createSealing, loadSealingKey } from "../../src/kernel/secrets/secrets.ts";
import { bytesOnDisk, fresh, makeEndedDelivery, query } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { makeCaller } from "../support/callers.ts";
import { made2xx } from "../support/tasks.ts";

/*
 * What a thief of the database and its log finds without `sealing.key`: nothing that can be used, and nothing with which a
 * guess can be tested.
 */
const guessable = "planted7Hs2";
const signingSecret = `whsec_${Buffer.from("planted7Hs2-signing-secret").toString("base64")}`;

/** Plants a secret in every place that has one; returns them all. */
async function plant(app: TestApplication): Promise<readonly string[]> {
  const call = async (method: string, path: string, body?: unknown) =>
    made2xx(app.call(method, path, body, { "Idempotency-Key": fresh("key") }));
  const environment = { TOKEN: `${guessable}-environment` };
  const input = `${guessable}-input`;
  const group = await call("POST", "/v1/groups", { name: "g", environment });
  const task = await call("POST", "/v1/tasks", { name: "t", group_id: group.id, environment, standard_input: input });
  const imported = { environment: { TOKEN: `${guessable}-imported` }, standard_input: `${guessable}-imported-input` };
  await call("POST", "/v1/import", { tasks: [{ key: "i", name: "i", ...imported }] });
  const trigger = await call("POST", "/v1/triggers", { name: "x", target_task_id: task.id });
  const set = await call("POST", "/v1/trigger-sets", { name: "s", target_task_id: task.id, count: 2 });
  const rotated = await call("POST", `/v1/triggers/${trigger.trigger.id}/rotate`);
  const endpoint = `${guessable}-path`;
  const authorization = `Bearer ${guessable}-authorization`;
  const channel = {
    name: "c",
    endpoint: `https://127.0.0.1:9/${endpoint}`,
    authorization,
    signing_secret: signingSecret,
  };
  await call("POST", "/v1/notification-channels", channel);
  await makeEndedDelivery(app);
  const caller = await makeCaller(app);
  expect((await app.call("GET", "/v1/tasks", undefined, caller.headers)).status).toBe(200);
  return [
    `${guessable}-environment`,
    input,
    ...Object.values(imported.environment),
    imported.standard_input,
    trigger.key,
    rotated.key,
    ...set.keys.map(({ key }: { readonly key: string }) => key),
    endpoint,
    authorization,
    signingSecret,
    caller.token,
  ];
}

/** Each form in which a secret could be found, and the hashes with which a guess could be tested. */
function formsOf(secret: string): readonly (string | Buffer)[] {
  const digest = (algorithm: string) => createHash(algorithm).update(secret).digest();
  const isGuessable = !/^(bfk|bat)_/.test(secret);
  const hashes = isGuessable
    ? ["sha256", "sha1", "md5"].flatMap((name) => [digest(name), digest(name).toString("hex")])
    : [];
  // the public part of a key or token is no secret
  const hidden = secret.replace(/^(bfk|bat)_\w{8}_/, "").replace(/^whsec_/, "");
  const whole = Buffer.from(hidden);
  return [hidden, whole.toString("base64").slice(2, -4), whole.toString("hex"), whole.toString("utf16le"), ...hashes];
}

test("the database and its log contain no secret, and no hash of a secret that can be guessed", async () => {
  await using app = await openTestApplication();
  const secrets = await plant(app);
  const bytes = bytesOnDisk(app.dataDir);
  for (const secret of secrets)
    for (const form of formsOf(secret)) expect(bytes.includes(form), `a form of ${secret}`).toBe(false);
  app.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  const atRest = bytesOnDisk(app.dataDir);
  for (const secret of secrets)
    for (const form of formsOf(secret)) expect(atRest.includes(form), `a form of ${secret}, at rest`).toBe(false);
  expect(query(app, "SELECT * FROM idempotency_keys").length).toBeGreaterThan(5);
});

interface KeyRow {
  readonly actor_id: string;
  readonly operation: string;
  readonly key: string;
  readonly body_hash: string;
}

/** The hashes that anyone can compute from a row and a guess of its body. */
function guessesOf({ actor_id, operation, key }: KeyRow, body: object): readonly string[] {
  const inputs = [body, [null, body], [null, hash(canonicalJson(body))], [actor_id, operation, key, body]];
  const texts = inputs.flatMap((input) => [JSON.stringify(input), canonicalJson(input)]);
  const keys = ["", actor_id, operation, key];
  return texts.flatMap((text) => [
    hash(text),
    ...keys.map((one) => createHmac("sha256", one).update(text).digest("hex")),
  ]);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

test("nobody can test a guess of a call's body without the sealing key, or find two calls with the same body", async () => {
  const body = { standard_input: guessable, name: "t" };
  const rows: KeyRow[] = [];
  for (const keys of [["one", "two"], ["one"]]) {
    await using app = await openTestApplication();
    for (const key of keys) {
      await made2xx(app.call("POST", "/v1/tasks", { ...body, name: key }, { "Idempotency-Key": key }));
      await made2xx(app.call("POST", "/v1/groups", { name: key }, { "Idempotency-Key": key }));
    }
    const found = query<KeyRow>(app, "SELECT actor_id, operation, key, body_hash FROM idempotency_keys");
    rows.push(...found);
    for (const row of found) {
      const guess = row.operation === "tasks.create" ? { ...body, name: row.key } : { name: row.key };
      expect(guessesOf(row, guess)).not.toContain(row.body_hash);
      // only the owner of the key can: so the guess itself is right
      const key = loadSealingKey(join(app.dataDir, "sealing.key"), { mayCreate: false });
      const mac = (sealingKey: Buffer): string =>
        createHmac("sha256", createSealing(sealingKey).derive("inputs of repeated calls"))
          .update(canonicalJson([row.actor_id, row.operation, row.key, [null, hash(canonicalJson(guess))]]))
          .digest("hex");
      expect(mac(key)).toBe(row.body_hash);
      expect(mac(Buffer.alloc(32))).not.toBe(row.body_hash);
    }
  }
  expect(new Set(rows.map((row) => row.body_hash)).size).toBe(6);
});
