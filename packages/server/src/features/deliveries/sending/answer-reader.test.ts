import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { type AnswerReader, createAnswerReader } from "./answer-reader.ts";

function readAll(reader: AnswerReader, ...parts: readonly string[]): AnswerReader {
  for (const part of parts) reader.read(Buffer.from(part, "latin1"));
  return reader;
}

const read = (...parts: readonly string[]): AnswerReader => readAll(createAnswerReader(), ...parts);

/** Names and line ends as servers write them. */
const nameStyles = [(name: string) => name, (name: string) => name.toUpperCase(), (name: string) => name.toLowerCase()];

interface Plan {
  readonly interim: readonly number[];
  readonly status: number;
  readonly framing: "length" | "chunks" | "close" | "none";
  readonly parts: readonly string[];
  readonly headers: readonly string[];
  readonly closes: boolean;
  readonly style: number;
  readonly lineEnd: string;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  interim: fc.array(fc.constantFrom(100, 102, 103, 199), { maxLength: 3 }),
  status: fc.integer({ min: 200, max: 999 }).filter((status) => status !== 204 && status !== 304),
  framing: fc.constantFrom("length", "chunks", "close", "none"),
  // a body may contain the words of the protocol too
  parts: fc.array(fc.constantFrom("x", "0\r\n\r\n", "\r\n\r\n", "HTTP/1.1 500 No\r\n\r\n", "long ".repeat(300)), {
    maxLength: 5,
  }),
  headers: fc.array(fc.constantFrom("server: x", "x-length: 7", "content-type: text/plain", "x-empty:"), {
    maxLength: 4,
  }),
  closes: fc.boolean(),
  style: fc.nat(nameStyles.length - 1),
  lineEnd: fc.constantFrom("\r\n", "\r\n", "\n"),
});

function write({ interim, status, framing, parts, headers, closes, style, lineEnd }: Plan): string {
  const name = nameStyles[style]!;
  const body = parts.join("");
  const head = (first: string, lines: readonly string[]): string => [first, ...lines, "", ""].join(lineEnd);
  const own = [
    ...(framing === "length" ? [`${name("Content-Length")}: ${body.length}`] : []),
    ...(framing === "chunks" ? [`${name("Transfer-Encoding")}: chunked`] : []),
    ...(framing === "none" ? [] : headers),
    ...(closes ? [`${name("Connection")}: close`] : []),
  ];
  const chunks = parts.map((part) => `${part.length.toString(16)};name=value\r\n${part}\r\n`).join("");
  const bodies = { length: body, chunks: `${chunks}0\r\nx-trailer: 1\r\n\r\n`, close: body, none: "" };
  return [
    ...interim.map((each) => head(`HTTP/1.1 ${each} Wait`, ["link: </a>"])),
    head(`HTTP/1.1 ${framing === "none" ? 204 : status} Fine`, own),
    bodies[framing],
  ].join("");
}

test("the status and the end of any answer are found, wherever its bytes are split", () => {
  const cuts = fc.array(fc.nat(), { maxLength: 12 });
  fc.assert(
    fc.property(plans, cuts, (plan, at) => {
      const text = write(plan);
      const places = [0, ...at.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
      const parts = places.slice(1).map((end, nth) => text.slice(places[nth], end));
      for (const reader of [read(...parts), read(...text)]) {
        expect(reader.status).toBe(plan.framing === "none" ? 204 : plan.status);
        expect(reader.state).toBe(plan.framing === "close" ? "body" : "ended");
        expect(reader.isKeptAlive).toBe(!plan.closes);
        readAll(reader, "x");
        expect(reader.state).toBe(plan.framing === "close" ? "body" : "lost");
      }
      if (plan.framing !== "close") expect(read(`${text}x`).state).toBe("lost");
    }),
    { numRuns: 400 },
  );
});

test("the status is known at the empty line, and the end of the body at its last byte", () => {
  const text = "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nyes";
  const reader = createAnswerReader();
  const seen = [...text].map((character) => {
    readAll(reader, character);
    return [reader.status, reader.state];
  });
  const headLength = text.indexOf("\r\n\r\n") + 4;
  expect(seen.slice(0, headLength - 1)).toEqual(Array.from({ length: headLength - 1 }, () => [null, "head"]));
  expect(seen.slice(headLength - 1)).toEqual([
    [200, "body"],
    [200, "body"],
    [200, "body"],
    [200, "ended"],
  ]);
});

test.each([
  ["two lengths", "content-length: 3\r\ncontent-length: 4"],
  ["a length and chunks", "content-length: 3\r\ntransfer-encoding: chunked"],
  ["a length that is not a number", "content-length: -3"],
  ["an encoding that is not known", "transfer-encoding: gzip, chunked"],
])("an answer with %s ends only when its connection ends", (_, headers) => {
  expect(read(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\nyes`)).toMatchObject({ status: 200, state: "body" });
});

test.each(["zz\r\n", "-1\r\n", "3\r\nyes!!2\r\n", `${"1".repeat(2_000)}\r\n`])(
  "a body with a broken chunk, %.10j, has no end, and its status stays valid",
  (body) => {
    const reader = read("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", body);
    expect(reader).toMatchObject({ status: 200, state: "lost" });
  },
);

test("an HTTP/1.0 answer is accepted, and its connection is not reused", () => {
  expect(read("HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n")).toMatchObject({ state: "ended", isKeptAlive: false });
});

test.each<readonly [string, RegExp]>([
  ["garbage", /not HTTP\/1\.1/],
  ["\r\nHTTP/1.1 200 OK\r\n\r\n", /not HTTP\/1\.1/],
  ["HTTP/2 200\r\n\r\n", /not HTTP\/1\.1/],
  ["HTTP/1.1 20 OK\r\n\r\n", /no valid status/],
  ["HTTP/1.1 2000 OK\r\n\r\n", /no valid status/],
  ["HTTP/1.1  200 OK\r\n\r\n", /no valid status/],
  [`HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}`, /headers of the response are too large/],
  [`HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, /headers of the response are too large/],
  ["HTTP/1.1 100 Continue\r\n\r\n".repeat(21), /interim responses/],
])("%.60s is not an HTTP answer", (text, why) => {
  expect(() => read(text)).toThrow(why);
  expect(() => read(...text)).toThrow(why);
});

test("a status outside the valid range is read unchanged", () => {
  for (const status of ["000", "099", "101", "600", "999"])
    expect(read(`HTTP/1.1 ${status}\r\n\r\n`).status).toBe(Number(status));
});
