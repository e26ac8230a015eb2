import { expect, test } from "vitest";
import { parseOrder } from "./orders.ts";

test("orders are read, and unknown members are accepted", () => {
  expect(parseOrder('{"do":"list","extra":1}')).toEqual({ do: "list" });
  expect(parseOrder('{"do":"prepare","extra":1}')).toEqual({ do: "prepare" });
  expect(parseOrder('{"do":"forget","attempt":"att_1"}')).toEqual({ do: "forget", attempt: "att_1" });
});

test("a line that is not an order is rejected, and so is an attempt id that could leave its folder", () => {
  const lines = [
    "",
    "{",
    "null",
    "1",
    "[]",
    '"list"',
    "{}",
    '{"do":"dance"}',
    '{"do":"forget"}',
    '{"do":"cancel","attempt":1}',
  ];
  const names = ["", ".", "..", "../a", "a/b", "a\\u0000", "-a", "a.b"].map(
    (name) => `{"do":"forget","attempt":"${name}"}`,
  );
  expect([...lines, ...names].filter((line) => parseOrder(line) !== null)).toEqual([]);
});
