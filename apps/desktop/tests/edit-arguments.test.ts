import type { Task } from "@belfry/client";
import { connectLocal } from "@belfry/client/local";
import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { argumentProblem, createBody, emptyForm, formOf, patchBody } from "../src/screens/edit/task-fields.ts";
import { sentBy } from "./support/edit-dialog.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

const piece = fc.constantFrom("", " ", "\n", "\r", "\r\n", "\t", '"', "\\", "\0", "\u0085", "\u2028", "\ud800", "-c");
const word = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.oneof(piece, fc.string())).map((parts) => parts.join("")),
);
const defaults = createBody({ ...emptyForm, name: "Build" });

test("any arguments are the same after they were in the form", () => {
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const command = { kind: "exec", program: "sh", arguments: words };
      const form = formOf({ ...defaults, command } as unknown as Task);
      // a text field makes each of these a line break
      expect(form.argumentLines).not.toMatch(/\r/);
      expect(argumentProblem(form)).toBeNull();
      expect(createBody(form).command).toEqual(command);
      expect(patchBody(form, form)).toEqual({});
    }),
  );
});

test("an edit keeps line breaks in arguments and in the description, and refuses a line that it cannot read", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({
    name: "Build",
    description: "Builds it.\nThen tests it.",
    command: { kind: "exec", program: "sh", arguments: ["-c", "set -e\nmake", ""] },
  });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}/edit`);
  const field = page.getByLabel("Arguments", { exact: true });
  const save = page.getByRole("button", { name: "Save" });
  await field.waitFor();
  expect(await field.inputValue()).toBe('-c\n"set -e\\nmake"\n""');
  await field.fill('-c\n"set -e\\nmake\n""');
  await page.getByText("Line 2 begins with a double quote, but is no JSON string:").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await save.isDisabled()).toBe(true);
  await ui.picture("edit-arguments-error");
  await expectSound(ui);
  await field.fill('-c\n"set -e\\nmake all"\n""');
  await page.getByText(String.raw`Command: sh -c "set -e\nmake" "" becomes sh -c "set -e\nmake all" ""`).waitFor();
  await page.getByLabel("Description").press("Control+End");
  await page.keyboard.type(" Then ends.");
  await ui.picture("edit-arguments");
  const { body } = await sentBy(page, () => save.click());
  expect(body).toEqual({
    command: { kind: "exec", program: "sh", arguments: ["-c", "set -e\nmake all", ""] },
    description: "Builds it.\nThen tests it. Then ends.",
  });
  await page.getByRole("heading", { name: "Build", exact: true, level: 1 }).waitFor();
});
