import { ApiError, CompatibilityError, ConnectionError, TimeoutError } from "@belfry/client";
import { expect, test } from "vitest";
import { ShellError } from "../shell/shell.ts";
import { describeError, fieldError } from "./errors.ts";

function refusal(code: string, status: number): ApiError {
  return new ApiError({ status, code, message: "the daemon said this", field: "name", requestId: "req_1" });
}

test.each([
  ["precondition_failed", 412, "Somebody changed this meanwhile", "The daemon said this."],
  ["untrusted", 403, "This is not the daemon that was paired", /^The daemon said this\. Nothing secret was sent\. /],
  ["identity_changed", 403, "The daemon has another identity", /pair it again on the Connections page\.$/],
  ["grant_reduced", 403, "Less is allowed than before", /run belfry profile edit/],
  ["malformed_answer", 502, "The answer is not a daemon's", /Check the address/],
  ["incompatible", 501, "The versions do not fit", /both have the same version/],
  ["of_a_newer_daemon", 409, "The daemon refused this", "The daemon said this."],
  ["of_a_newer_daemon", 500, "The daemon has a problem", "The daemon said this."],
])("%s with status %d says what happened, and what to do", (code, status, title, text) => {
  expect(describeError(refusal(code, status))).toEqual({
    title,
    text: expect.stringMatching(text),
    requestId: "req_1",
  });
});

test("a daemon that does not answer is told from one that takes too long and from a fault of the screens", () => {
  const titles = [new ConnectionError("No socket."), new TimeoutError("No answer in 10 s."), new Error("oops"), "odd"];
  expect(titles.map((error) => describeError(error).title)).toEqual([
    "The daemon does not answer",
    "The answer takes too long",
    "Something went wrong",
    "Something went wrong",
  ]);
  expect(describeError("odd").text).toBe("odd");
});

test("an error stands beside the member that it names, and beside no other", () => {
  expect(fieldError(refusal("validation_failed", 400), "name")).toBe("The daemon said this.");
  expect(fieldError(refusal("validation_failed", 400), "every")).toBeNull();
  expect(fieldError(new Error("oops"), "name")).toBeNull();
});

test("the client's own error of versions reads as the daemon's does", () => {
  const { title, text } = describeError(new CompatibilityError("it speaks version 9"));
  expect(title).toBe("The versions do not fit");
  expect(text).toMatch(/^It speaks version 9\. Update Belfry/);
});

test("an error of the shell says its own hint, and does not advise twice", () => {
  const error = new ShellError("the daemon has another key", { code: "untrusted", hint: "Enrol again" });
  expect(describeError(error)).toEqual({
    title: "This is not the daemon that was paired",
    text: "The daemon has another key. Enrol again.",
    requestId: null,
  });
});

test("a daemon that is gone is said to come back by itself", () => {
  expect(describeError(new ConnectionError("nothing listens")).text).toBe(
    "Nothing listens. This page continues by itself when it answers again.",
  );
});

test("a change that did not reach the daemon is said to be not sent, and to be sent again by the person", () => {
  for (const error of [new ConnectionError("nothing listens"), new TimeoutError("No answer in 10 s.")]) {
    const { text } = describeError(error, "change");
    expect(text).toMatch(/\. The change was not sent\. Send it again when the daemon answers\.$/);
    expect(text).not.toContain("by itself");
  }
});

test("an error of an item stands beside the field of its list, and not beside a field with a similar name", () => {
  const error = new ApiError({
    status: 422,
    code: "validation_failed",
    message: "this is too long",
    field: "command.arguments.1",
    requestId: "req_1",
  });
  expect(fieldError(error, "command.arguments")).toBe("This is too long.");
  expect(fieldError(error, "command")).toBe("This is too long.");
  expect(fieldError(error, "command.argument")).toBeNull();
  expect(fieldError(error, "command.program")).toBeNull();
});
