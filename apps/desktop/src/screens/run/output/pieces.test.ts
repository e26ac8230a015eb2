import { expect, test } from "vitest";
import { findLinks, piecesOf } from "./pieces.ts";

test.each([
  ["see https://example.org/a?b=1#c.", "https://example.org/a?b=1#c"],
  ["(http://example.org/x)", "http://example.org/x"],
  ["https://example.org/x_(y)", "https://example.org/x_(y)"],
  ["<https://example.org/>", "https://example.org/"],
  ["[https://example.org/x]", "https://example.org/x"],
])("%s has a link", (text, address) => {
  expect(findLinks(text).map((link) => link.address)).toEqual([address]);
});

test.each([
  "javascript:alert(1)",
  "file:///etc/passwd",
  "ftp://example.org/",
  "data:text/html,x",
  "https://",
  "//example.org",
])("%s has none", (text) => expect(findLinks(text)).toEqual([]));

test("a line is cut where a style, a link or a found place begins or ends", () => {
  const spans = [
    { text: "go to http://exa", style: {} },
    { text: "mple.org now", style: { isBold: true } },
  ] as const;
  const pieces = piecesOf(spans, [{ start: 13, end: 18, isCurrent: true }]);
  const link = "http://example.org/";
  expect(pieces).toEqual([
    { text: "go to ", style: {}, link: null, found: null },
    { text: "http://", style: {}, link, found: null },
    { text: "exa", style: {}, link, found: "current" },
    { text: "mp", style: { isBold: true }, link, found: "current" },
    { text: "le.org", style: { isBold: true }, link, found: null },
    { text: " now", style: { isBold: true }, link: null, found: null },
  ]);
});
