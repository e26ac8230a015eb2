import { userInfo } from "node:os";
import { catalogue, isSecret, type Operation } from "@belfry/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { everything } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { expectRefusal, sampleOf, seen } from "../support/call.ts";

/*
 * The members of bodies that remote callers may not send. Which these are, the catalogue says; the last tests say what it
 * must not forget.
 */
const remote = catalogue
  .map(seen)
  .filter(({ body, transports }) => body !== undefined && transports.some((one) => one === "remote"));
const values: Readonly<Record<string, unknown>> = {
  environment: { A: "1" },
  standard_input: "x",
  command: { kind: "shell", script: "true" },
  working_directory: "/srv",
  run_as: userInfo().username,
};
const casesOf = (listed: (operation: Operation) => readonly string[] | undefined) =>
  remote.flatMap((operation) => (listed(operation) ?? []).map((name) => ({ id: operation.id, operation, name })));
const local = casesOf(({ localMembers }) => localMembers);
const commands = casesOf(({ commandMembers }) => commandMembers);

let strict: TestApplication;
let lenient: TestApplication;
beforeAll(async () => {
  [strict, lenient] = await Promise.all([openTestApplication(), openTestApplication({ remoteCommands: true })]);
});
afterAll(() => Promise.all([strict?.[Symbol.asyncDispose](), lenient?.[Symbol.asyncDispose]()]));

/** Sends a valid body with this member only, or with the other members of the sample that anyone may send. */
async function sendWith(app: TestApplication, operation: Operation, name: string, value = values[name]) {
  app.actAs("enroll");
  const { path, body } = await sampleOf(app, operation);
  const restricted = [...(operation.localMembers ?? []), ...(operation.commandMembers ?? [])];
  const open = Object.entries(body as object).filter(([member]) => !restricted.includes(member));
  const before = everything(app, ["audit_events"]);
  app.actAs("manage", "remote");
  const answer = await app.call(operation.method.toUpperCase(), path, { ...Object.fromEntries(open), [name]: value });
  return { answer, before, after: everything(app, ["audit_events"]) };
}

describe("a remote body with a member that only local callers may send is refused, and changes nothing", () => {
  test.each([...local, ...commands])("$id: $name", async ({ operation, name }) => {
    for (const value of [values[name], null]) {
      const { answer, before, after } = await sendWith(strict, operation, name, value);
      expectRefusal(answer, "validation_failed", name);
      expect(answer.json.error.message).toBe(
        `${name} can only be set on the daemon's machine: send the request there, or leave it out`,
      );
      expect(after).toEqual(before);
    }
  });
});

describe("a daemon that allows remote commands accepts those members, and only those", () => {
  test.each(commands)("$id: $name is accepted", async ({ operation, name }) => {
    const { answer } = await sendWith(lenient, operation, name);
    expect(answer.status, answer.text).toBeLessThan(300);
  });
  test.each(local)("$id: $name is refused", async ({ operation, name }) => {
    expectRefusal((await sendWith(lenient, operation, name)).answer, "validation_failed", name);
  });
});

test("a member of another name, and the same members in a local body, are accepted", async () => {
  for (const { operation, name } of [...local, ...commands]) {
    strict.actAs("enroll");
    const { path, body } = await sampleOf(strict, operation);
    strict.actAs("manage", "local");
    const answer = await strict.call(operation.method.toUpperCase(), path, {
      ...(body as object),
      [name]: values[name],
    });
    expect(answer.status, answer.text).toBeLessThan(300);
  }
});

/** The members at the top of a body. */
function membersOf(body: z.ZodType): readonly (readonly [string, z.ZodType])[] {
  if (body instanceof z.ZodUnion) return body.options.flatMap((option) => membersOf(option as z.ZodType));
  return body instanceof z.ZodObject ? (Object.entries(body.shape) as [string, z.ZodType][]) : [];
}

function holdsSecret(member: z.ZodType): boolean {
  if (isSecret(member)) return true;
  const isWrapped =
    member instanceof z.ZodOptional || member instanceof z.ZodDefault || member instanceof z.ZodNullable;
  return isWrapped && holdsSecret(member.unwrap() as z.ZodType);
}

describe("no remote body may set a secret or what runs, except as listed", () => {
  // the key of a fire and the phrase of an enrolment are the caller's own proof
  const others = remote.filter(({ id }) => id !== "triggers.fire" && id !== "access.enroll");
  test.each(others.map((operation) => ({ id: operation.id, operation })))("$id", ({ operation }) => {
    const members = membersOf(operation.body!);
    const localOnly = members
      .filter(([name, member]) => holdsSecret(member) || name === "run_as")
      .map(([name]) => name);
    expect([...(operation.localMembers ?? [])].sort()).toEqual([...new Set(localOnly)].sort());
    const whatRuns = members.map(([name]) => name).filter((name) => name === "command" || name === "working_directory");
    expect(operation.commandMembers ?? []).toEqual(whatRuns);
  });
});
