import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { bytesOf } from "./read-directory.ts";
import { resolvePath } from "./resolve-path.ts";

async function openPlace() {
  const dir = await tempDir();
  const at = (path: string): string => join(dir.path, path);
  const asked: string[] = [];
  const resolve = (path: string, options: { readonly remote?: string; readonly own?: string } = {}) => {
    const { remote, own } = options;
    asked.length = 0;
    const ownIno = own === undefined ? null : statSync(at(own), { bigint: true }).ino;
    const { real, failure, waypoints } = resolvePath(bytesOf(path.startsWith("/") ? path : at(path)), {
      isRemote: (each) => {
        asked.push(each);
        return remote !== undefined && each === at(remote);
      },
      isOwn: ({ ino }) => ino === ownIno,
    });
    const below = (each: string): string => each.replace(`${dir.path}/`, "").replace(dir.path, ".");
    return {
      real: real === null ? null : below(real),
      failure,
      waypoints: waypoints.map(({ directory, name }) => `${below(directory)} ${name}`),
    };
  };
  return {
    path: dir.path,
    at,
    asked,
    resolve,
    write: (path: string): void => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), "");
    },
    link: (path: string, target: string): void => {
      mkdirSync(dirname(at(path)), { recursive: true });
      symlinkSync(target, at(path));
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test("a path without links is itself, and its last part is watched", async () => {
  await using place = await openPlace();
  place.write("a/b/file");
  expect(place.resolve("a/b/file")).toEqual({ real: "a/b/file", failure: null, waypoints: ["a/b file"] });
  expect(place.resolve("a/b")).toEqual({ real: "a/b", failure: null, waypoints: ["a b"] });
  expect(place.resolve("/")).toEqual({ real: "/", failure: null, waypoints: [] });
});

test("each link of a chain is watched", async () => {
  await using place = await openPlace();
  place.write("real/file");
  place.link("one", "two");
  place.link("two", place.at("three"));
  place.link("three", "./real/");
  place.link("x/last", "../one/file");
  expect(place.resolve("x/last")).toEqual({
    real: "real/file",
    failure: null,
    waypoints: ["x last", ". one", ". two", ". three", "real file"],
  });
});

test("two dots in a link lead to the parent of what the path has come to", async () => {
  await using place = await openPlace();
  place.write("deep/er/file");
  place.write("deep/sibling");
  place.link("shallow", "deep/er");
  place.link("up", "shallow/../sibling");
  expect(place.resolve("up").real).toBe("deep/sibling");
  place.link("root", "../../../../../../../../..");
  expect(place.resolve("root").real).toBe("/");
});

test("a loop of links is a missing path, and every link of it is watched", async () => {
  await using place = await openPlace();
  place.link("a", "b");
  place.link("b", "a");
  const { real, failure, waypoints } = place.resolve("a");
  expect({ real, failure }).toEqual({ real: null, failure: "gone" });
  expect(new Set(waypoints)).toEqual(new Set([". a", ". b"]));
});

test("of a missing path the first missing part is watched", async () => {
  await using place = await openPlace();
  place.write("a/file");
  expect(place.resolve("a/x/y")).toEqual({ real: null, failure: "gone", waypoints: ["a x"] });
  place.link("dangling", "a/nothing/here");
  expect(place.resolve("dangling")).toEqual({ real: null, failure: "gone", waypoints: [". dangling", "a nothing"] });
  // a file where a directory should be
  expect(place.resolve("a/file/x")).toMatchObject({ real: null, failure: "gone" });
});

test("a network mount is asked for before each part is touched, those behind links too", async () => {
  await using place = await openPlace();
  place.write("net/file");
  place.link("link", "net/file");
  expect(place.resolve("link", { remote: "net" })).toMatchObject({ real: null, failure: "remote" });
  expect(place.asked.at(-1)).toBe(place.at("net"));
  // never touched: it does not exist
  expect(place.resolve("missing/x", { remote: "missing" })).toEqual({ real: null, failure: "remote", waypoints: [] });
  place.resolve("link");
  expect(place.asked).toEqual(expect.arrayContaining([place.at("link"), place.at("net"), place.at("net/file")]));
});

test("the daemon's own directory is found by its identity, on the way and through links", async () => {
  await using place = await openPlace();
  place.write("data/sub/file");
  place.link("link", "data");
  for (const path of ["data", "data/sub", "data/sub/file", "link/sub"])
    expect(place.resolve(path, { own: "data" })).toMatchObject({ real: null, failure: "own" });
  place.write("beside/file");
  place.link("out", "data/../beside/file");
  expect(place.resolve("beside/file", { own: "data" }).failure).toBeNull();
});
