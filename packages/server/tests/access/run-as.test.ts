import { catalogue } from "@belfry/contract";
import { expect, test } from "vitest";
import { openTestApplication } from "../support/application.ts";
import { sampleOf, seen } from "../support/call.ts";

const writes = catalogue
  .map(seen)
  .filter(({ kind, transports }) => kind === "write" && transports.some((one) => one === "remote"));

/*
 * A daemon of root is where this matters, and a daemon that lets remote callers set what runs: they then decide what runs as
 * root, but never as whom a task runs.
 */
test.each(["manage", "enroll"] as const)(
  "no remote operation lets a caller with %s set, change or clear the user of a task",
  async (held) => {
    await using app = await openTestApplication({
      canRun: true,
      remoteCommands: true,
      config: { account: { name: "root", isRoot: true } },
    });
    const readUsers = () => app.sqlite.prepare("SELECT DISTINCT run_as FROM tasks").pluck().all();
    let refused = 0;
    for (const operation of writes) {
      for (const run_as of ["root", "www-data", null, undefined]) {
        app.actAs("enroll");
        const { path, body } = await sampleOf(app, operation);
        app.sqlite.exec("UPDATE tasks SET run_as = 'planted'");
        app.actAs(held, "remote");
        const { run_as: _, environment: _2, standard_input: _3, ...open } = (body ?? {}) as Record<string, unknown>;
        const sent = run_as === undefined ? open : { ...open, run_as };
        const answer = await app.call(
          operation.method.toUpperCase(),
          path,
          body === undefined && run_as === undefined ? undefined : sent,
        );
        const what = `${operation.id} ${String(run_as)}: ${answer.text}`;
        if (operation.body !== undefined && run_as !== undefined) {
          expect([400, 403], what).toContain(answer.status);
          refused += 1;
        }
        // a task that the call created has no user
        const created = operation.id === "tasks.create" && answer.status === 201;
        expect(
          readUsers().filter((user) => user !== "planted"),
          what,
        ).toEqual(created ? [null] : []);
      }
    }
    expect(refused).toBeGreaterThan(30);
  },
);
