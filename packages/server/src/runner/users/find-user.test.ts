import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createFindUser, rememberedMs } from "./find-user.ts";
import { parseGroups } from "./user.ts";

function lookup(entries: Record<string, string>) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const find = createFindUser(clock, {
    readEntry: async (name) => {
      asked.push(name);
      return entries[name] ?? null;
    },
    readGroups: async (name) => {
      if (entries[name] === undefined) throw new Error("no such user");
      return [30, 20];
    },
  });
  return { clock, asked, find };
}

test("a user is looked up once a minute, however many attempts start", async () => {
  const entries = { ada: "ada:x:7:8:Ada,,,:/home/ada:/bin/bash" };
  const { clock, asked, find } = lookup(entries);
  const ada = { name: "ada", uid: 7, gid: 8, home: "/home/ada", shell: "/bin/bash", groups: [8, 30, 20] };
  expect(await Promise.all([find("ada"), find("ada")])).toEqual([ada, ada]);
  await clock.advance(rememberedMs - 1);
  expect(await find("ada")).toEqual(ada);
  expect(asked).toEqual(["ada"]);
  entries.ada = "ada:x:9:8::/home/ada:";
  await clock.advance(1);
  expect(await find("ada")).toEqual({ ...ada, uid: 9, shell: "/bin/sh" });
});

test("an unknown user is not remembered: one that is created is found at once", async () => {
  const entries: Record<string, string> = {};
  const { find } = lookup(entries);
  await expect(find("ada")).rejects.toThrow('the user "ada" does not exist on this machine');
  entries["ada"] = "ada:x:7:8::/home/ada:/bin/sh";
  expect(await find("ada")).toMatchObject({ uid: 7 });
});

test("the machine's own database is read, and a damaged entry is no user", async () => {
  expect(await createFindUser(new ManualClock())("root")).toMatchObject({
    uid: 0,
    gid: 0,
    groups: expect.arrayContaining([0]) as unknown,
  });
  await expect(createFindUser(new ManualClock())("bf-no-such-user")).rejects.toThrow("does not exist");
  for (const entry of ["ada", "ada:x:seven:8::/:", "ada:x::8::/:", "+:::::::"])
    await expect(lookup({ ada: entry }).find("ada")).rejects.toThrow("does not exist");
});

test("groups are numbers, and anything else that a tool prints is refused", () => {
  expect(parseGroups("8 30 20\n")).toEqual([8, 30, 20]);
  for (const text of ["", "8 wheel", "8,30", "-8", "8 30 \n9x"]) expect(parseGroups(text)).toBeNull();
});
