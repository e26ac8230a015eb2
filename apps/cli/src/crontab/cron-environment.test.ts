import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCronEnvironment } from "./cron-environment.ts";

test("the later file wins, PATH and SHELL stay cron's, HOME and LOGNAME are omitted, and the locale may be empty", async () => {
  await using dir = await tempDir();
  const [first, second] = [join(dir.path, "environment"), join(dir.path, "locale")];
  expect(await readCronEnvironment([first, second])).toEqual({
    LANG: "",
    LC_ALL: "",
    PATH: "/usr/bin:/bin",
    SHELL: "/bin/sh",
  });
  await writeFile(first, "LANG=C\nPROXY=p\nPATH=/p\nSHELL=/s\nHOME=/h\nLOGNAME=l\n");
  await writeFile(second, 'LANG="de_DE.UTF-8"\nLC_TIME=C\n');
  expect(await readCronEnvironment([first, second])).toEqual({
    LANG: "de_DE.UTF-8",
    LC_ALL: "",
    LC_TIME: "C",
    PROXY: "p",
    PATH: "/usr/bin:/bin",
    SHELL: "/bin/sh",
  });
});
