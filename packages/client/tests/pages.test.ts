import { inspect } from "node:util";
import { expect, test } from "vitest";
import { type FakeDaemon, fakeDaemon } from "./fake-daemon.ts";

/** Seven tasks, three per page. The cursor is the index of the next page's first task. */
function sevenTasks(): Promise<FakeDaemon> {
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  return fakeDaemon(({ path }) => {
    const start = Number(new URL(path, "http://localhost").searchParams.get("cursor") ?? 0);
    const tasks = ids.slice(start, start + 3).map((id) => ({ id }));
    return { json: { tasks, next_cursor: start + 3 < ids.length ? String(start + 3) : null } };
  });
}

test("iterating a call reads all pages with its filters", async () => {
  await using daemon = await sevenTasks();
  const ids: string[] = [];
  for await (const task of daemon.connect().tasks.list({ group_id: "grp_1", limit: 3 })) ids.push(task.id);
  expect(ids).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  expect(daemon.seen.map((seen) => seen.path)).toEqual([
    "/tasks?group_id=grp_1&limit=3",
    "/tasks?group_id=grp_1&limit=3&cursor=3",
    "/tasks?group_id=grp_1&limit=3&cursor=6",
  ]);
});

test("pages are loaded only when needed, and leaving the loop closes everything", async () => {
  await using daemon = await sevenTasks();
  for await (const task of daemon.connect().tasks.list()) if (task.id === "d") break;
  expect(daemon.seen.length).toBe(2);
  expect(await daemon.allClosed()).toBe(true);
});

test("getNextPage loads one page at a time", async () => {
  await using daemon = await sevenTasks();
  let page = await daemon.connect().tasks.list();
  const pages = [page.tasks.length];
  while (page.hasNextPage()) {
    page = await page.getNextPage();
    pages.push(page.tasks.length);
  }
  expect(pages).toEqual([3, 3, 1]);
  expect(() => page.getNextPage()).toThrow("There is no next page");
});

test("iterating a page starts with its own items", async () => {
  await using daemon = await sevenTasks();
  const second = await (await daemon.connect().tasks.list()).getNextPage();
  const ids: string[] = [];
  for await (const task of second) ids.push(task.id);
  expect(ids).toEqual(["d", "e", "f", "g"]);
});

test("a page prints and serializes as its JSON", async () => {
  await using daemon = await sevenTasks();
  const { data: page, requestId } = await daemon.connect().tasks.list().withResponse();
  const wire = { tasks: [{ id: "a" }, { id: "b" }, { id: "c" }], next_cursor: "3" };
  expect(page).toEqual(wire);
  expect(JSON.parse(JSON.stringify(page))).toEqual(wire);
  expect(inspect(page)).toBe(inspect(wire));
  expect(requestId).toBe("req_1");
});
