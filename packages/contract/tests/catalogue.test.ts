import { describe, expect, test } from "vitest";
import { z } from "zod";
import { catalogue, isSecret, type Operation } from "@belfry/contract";
import { answeredBy, nameOf, sentBy, visitSchemas } from "./visit-schemas.ts";

const operations: readonly Operation[] = catalogue;
const byId = new Map(operations.map((operation) => [operation.id, operation]));

/** What a remote actor may do, as reviewed. A change here is a change of what is exposed to the network. */
const remoteAllowlist = [
  "access.current",
  "access.enroll",
  "actors.create",
  "actors.get",
  "actors.list",
  "actors.revoke",
  "actors.update",
  "audit.chain",
  "audit.export",
  "audit.list",
  "chains.create",
  "chains.delete",
  "chains.get",
  "chains.graph",
  "chains.list",
  "chains.update",
  "events.subscribe",
  "groups.create",
  "groups.delete",
  "groups.disable",
  "groups.enable",
  "groups.get",
  "groups.list",
  "groups.update",
  "health.get",
  "holds.list",
  "holds.place",
  "holds.release",
  "idempotency.get",
  "manifest.get",
  "notification_assignments.effective",
  "notification_assignments.of_channel",
  "notification_assignments.of_group",
  "notification_assignments.of_task",
  "notification_assignments.replace_of_group",
  "notification_assignments.replace_of_task",
  "notification_channels.disable",
  "notification_channels.enable",
  "notification_channels.get",
  "notification_channels.list",
  "notification_channels.test",
  "notification_deliveries.get",
  "notification_deliveries.list",
  "notification_deliveries.redeliver",
  "notification_deliveries.redeliver_failed",
  "openapi.get",
  "runs.attempts",
  "runs.cancel",
  "runs.failures",
  "runs.get",
  "runs.list",
  "runs.output",
  "runs.rerun",
  "schedules.agenda",
  "schedules.create",
  "schedules.delete",
  "schedules.disable",
  "schedules.enable",
  "schedules.get",
  "schedules.list",
  "schedules.pause",
  "schedules.preview",
  "schedules.resume",
  "schedules.update",
  "tasks.archive",
  "tasks.create",
  "tasks.delete",
  "tasks.disable",
  "tasks.enable",
  "tasks.get",
  "tasks.list",
  "tasks.restore",
  "tasks.run",
  "tasks.update",
  "tasks.why",
  "timeline.get",
  "trigger_sets.disable",
  "trigger_sets.enable",
  "trigger_sets.get",
  "trigger_sets.list",
  "triggers.disable",
  "triggers.enable",
  "triggers.fire",
  "triggers.get",
  "triggers.list",
  "watchers.disable",
  "watchers.enable",
  "watchers.get",
  "watchers.list",
];

/** Operations whose response contains members that are otherwise write-only. */
const revealing = [
  "tasks.environment",
  "tasks.standard_input",
  "trigger_sets.create",
  "trigger_sets.reveal",
  "trigger_sets.rotate",
  "triggers.create",
  "triggers.reveal",
  "triggers.rotate",
];
/** Operations that answer with a secret that is shown only once. They refuse an `Idempotency-Key`. */
const shownOnce = ["access.enroll", "pairings.create"];
/** The public operations, as reviewed: anyone on the network may call them. */
const publicOperations = ["access.enroll", "health.get", "manifest.get"];
/** Operations that copy the audit trail, or the whole database with every secret. */
const exporting = ["audit.export", "backups.create"];
/** Members that are secret in every answer, and the schema of a trigger's key. */
const secretMembers = ["environment", "standard_input"];
const secretSchemas = ["TriggerKey"];
/** Members that say what runs, where and as whom. */
const membersOfWhatRuns = ["command", "environment", "run_as", "standard_input", "working_directory"];
/** Resources that a client cannot edit, so they have no revision. */
const unrevised = ["run", "credential", "pairing", "remote", "hold"];

describe("the catalogue", () => {
  test("names every operation once", () => {
    expect(repeated(operations.map((operation) => operation.id))).toEqual([]);
  });

  test("has one operation for a method and a path", () => {
    expect(repeated(operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`))).toEqual(
      [],
    );
  });

  test("exposes exactly the reviewed operations to the network", () => {
    const remote = operations
      .filter(({ transports }) => transports.includes("remote"))
      .map((operation) => operation.id);
    expect(remote.toSorted()).toEqual(remoteAllowlist);
  });

  test("needs a credential for all but the reviewed public operations", () => {
    const open = operations.filter(({ isPublic }) => isPublic === true);
    expect(open.map(({ id }) => id).toSorted()).toEqual(publicOperations);
    for (const operation of open) expect(operation).toMatchObject({ capability: "observe" });
  });

  test("reveals secrets only to a local manager, and audits each reveal", () => {
    const found = operations.filter(
      (operation) => answersWithMember(operation, secretMembers) || answersWithSchema(operation, secretSchemas),
    );
    expect(found.map((operation) => operation.id).toSorted()).toEqual(revealing);
    for (const operation of found)
      expect(operation).toMatchObject({ audited: true, transports: ["local"], capability: "manage" });
  });

  test("lets nobody below a manager send what runs", () => {
    const found = operations.filter((operation) =>
      visitSchemas(sentBy(operation)).some(
        (schema) => schema instanceof z.ZodObject && membersOfWhatRuns.some((name) => name in schema.shape),
      ),
    );
    expect(found.map(({ id }) => id).toSorted()).toEqual([
      "groups.create",
      "groups.update",
      "import.create",
      "tasks.create",
      "tasks.update",
    ]);
    for (const operation of found) expect(operation.capability).toBe("manage");
  });

  test("audits every write, and every read that reveals a secret or exports the trail", () => {
    const audited = operations.filter((operation) => operation.audited).map((operation) => operation.id);
    const writes = operations.filter((operation) => operation.kind === "write").map((operation) => operation.id);
    expect(audited.toSorted()).toEqual([...new Set([...writes, ...revealing, ...exporting])].toSorted());
  });

  test("lists a fixed path before a path with a parameter in its place, because routers match in order", () => {
    const shadowed = operations.filter(({ path, method }, index) =>
      operations.slice(0, index).some((earlier) => earlier.method === method && isMatchedBy(path, earlier.path)),
    );
    expect(shadowed.map((operation) => operation.id)).toEqual([]);
  });
});

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  test("declares exactly the parameters that its path has", () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(operation.params?.shape ?? {})).toEqual(inPath);
  });

  test("writes only with an HTTP method and a capability that allow it", () => {
    const kinds = { get: ["read"], post: ["read", "write"], patch: ["write"], put: ["write"], delete: ["write"] };
    expect(kinds[operation.method]).toContain(operation.kind);
    const isOpen = operation.capability === "observe" && operation.isPublic !== true;
    expect(operation.kind === "write" && isOpen).toBe(false);
  });

  test("accepts If-Match only if it changes a resource with a revision", () => {
    const makes = operation.replayedBy !== undefined;
    const changesRevised = operation.kind === "write" && !makes && !unrevised.includes(operation.resource);
    expect(operation.conditional === true).toBe(changesRevised);
  });

  test("can be repeated under an Idempotency-Key only if it creates something that is shown again", () => {
    const makes =
      operation.method === "post" && operation.response.kind === "json" && operation.response.status !== 200;
    expect(operation.replayedBy !== undefined).toBe(makes && !shownOnce.includes(operation.id));
    if (operation.replayedBy === undefined) return;
    const replay = byId.get(operation.replayedBy);
    // the replay is a different operation: a read of the same resource, or a reveal
    if (replay?.id !== operation.id) {
      const isReveal = revealing.includes(operation.id);
      expect(replay).toMatchObject({ kind: "read", method: isReveal ? "post" : "get", audited: isReveal });
      expect(Object.keys(replay?.params?.shape ?? {})).toEqual(["id"]);
    }
    expect(answeredBy(replay!)[0]).toBe(answeredBy(operation)[0]);
  });

  test("answers without any member that is marked secret", () => {
    expect(
      visitSchemas(answeredBy(operation))
        .filter((schema) => isSecret(schema))
        .map(nameOf),
    ).toEqual([]);
  });

  test("answers with open objects in which every default is filled in", () => {
    const schemas = visitSchemas(answeredBy(operation));
    expect(schemas.filter((schema) => schema instanceof z.ZodDefault)).toEqual([]);
    expect(schemas.filter((schema) => schema instanceof z.ZodObject && isClosed(schema)).map(describeSchema)).toEqual(
      [],
    );
  });

  test("accepts closed objects only: an unknown member is refused", () => {
    const [params, ...inputs] = [
      operation.params ?? z.object({}),
      ...sentBy({ ...operation, params: undefined } as never),
    ];
    expect(isClosed(params)).toBe(false);
    const open = visitSchemas(inputs).filter((schema) => schema instanceof z.ZodObject && !isClosed(schema));
    expect(open.map(describeSchema)).toEqual([]);
  });

  test("names its request and response schemas, and each option of a union in them", () => {
    const bodies = [...(operation.body === undefined ? [] : [operation.body]), ...answeredBy(operation)];
    expect(bodies.filter((schema) => schema.meta()?.id === undefined)).toEqual([]);
    const kinds = visitSchemas(bodies).filter((schema) => schema instanceof z.ZodDiscriminatedUnion);
    const options = kinds.flatMap((schema) => schema.options as z.ZodType[]);
    expect(options.filter((option) => nameOf(option) === undefined)).toEqual([]);
  });

  test("has a valid example body", () => {
    if (operation.body === undefined) return expect(operation.example).toBeUndefined();
    expect(operation.example).toBeDefined();
    expect(operation.body.safeParse(operation.example).error).toBeUndefined();
  });
});

function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function isClosed(schema: z.ZodObject): boolean {
  return schema.def.catchall instanceof z.ZodNever;
}

function describeSchema(schema: z.ZodType): string {
  return (
    nameOf(schema) ?? (schema instanceof z.ZodObject ? `{ ${Object.keys(schema.shape).join(", ")} }` : schema.def.type)
  );
}

function answersWithMember(operation: Operation, names: readonly string[]): boolean {
  return visitSchemas(answeredBy(operation)).some(
    (schema) => schema instanceof z.ZodObject && names.some((name) => name in schema.shape),
  );
}

function answersWithSchema(operation: Operation, names: readonly string[]): boolean {
  return visitSchemas(answeredBy(operation)).some((schema) => names.includes(nameOf(schema) ?? ""));
}

function isMatchedBy(path: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
}
