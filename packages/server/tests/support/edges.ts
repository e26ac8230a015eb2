import { type ErrorCode, limits } from "@belfry/contract";
import { missing } from "./api.ts";

export interface Edge {
  readonly what: string;
  readonly bytes: string | Buffer;
  readonly code: ErrorCode;
  readonly field?: string | null;
}

/** The text of one request. An undefined member of `headers` omits that header. */
export function request(line: string, headers: Readonly<Record<string, string | undefined>> = {}, body = ""): string {
  const all: Record<string, string | undefined> = { Host: "localhost", ...headers };
  const lines = Object.entries(all).map(([name, value]) => (value === undefined ? "" : `${name}: ${value}\r\n`));
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

export function post(
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string | undefined>> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const allHeaders = { "Content-Type": "application/json", "Content-Length": String(bytes.length), ...headers };
  return Buffer.concat([Buffer.from(request(`POST ${path}`, allHeaders)), bytes]);
}

export const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
export const health = "GET /v1/health";

export const edges: readonly Edge[] = [
  { what: "no Host", bytes: request(health, { Host: undefined }), code: "validation_failed", field: "Host" },
  { what: "no Host in HTTP/1.0", bytes: "GET /v1/health HTTP/1.0\r\n\r\n", code: "validation_failed", field: "Host" },
  { what: "two Hosts", bytes: request(health, { host: "other" }), code: "validation_failed", field: "Host" },
  { what: "a Host with a slash", bytes: request(health, { Host: "a/b" }), code: "validation_failed" },
  { what: "a Host with a space", bytes: request(health, { Host: "a b" }), code: "validation_failed" },
  { what: "a Host with a user", bytes: request(health, { Host: "user@host" }), code: "validation_failed" },
  { what: "a Host with an impossible port", bytes: request(health, { Host: "a:99999" }), code: "validation_failed" },
  { what: "a Host of brackets", bytes: request(health, { Host: "[" }), code: "validation_failed" },

  { what: "a line of garbage", bytes: "garbage\r\n\r\n", code: "validation_failed" },
  {
    what: "bytes that are not text",
    bytes: Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]),
    code: "validation_failed",
  },
  { what: "no version", bytes: "GET /v1/health\r\n\r\n", code: "validation_failed", field: "Host" },
  { what: "an unknown version", bytes: "GET /v1/health HTTP/9.9\r\nHost: x\r\n\r\n", code: "validation_failed" },
  { what: "the preface of HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", code: "validation_failed" },
  { what: "a method in lower case", bytes: request("get /v1/health"), code: "validation_failed" },
  { what: "an unknown method", bytes: request("FETCH /v1/health"), code: "validation_failed" },
  { what: "a space in the target", bytes: request("GET /v1/ health"), code: "validation_failed" },
  { what: "a backslash in the target", bytes: request("GET /v1\\health"), code: "validation_failed" },
  { what: "a target without a slash", bytes: request("GET v1/health"), code: "validation_failed" },
  {
    what: "a target with characters outside ASCII",
    bytes: request("GET /v1/tasks/\u00fc\u00df"),
    code: "validation_failed",
  },
  { what: "a target that is an authority", bytes: request("GET localhost:80"), code: "validation_failed" },
  { what: "a target of another scheme", bytes: request("GET ftp://localhost/v1/health"), code: "validation_failed" },
  { what: "OPTIONS of the whole server", bytes: request("OPTIONS *"), code: "validation_failed" },
  { what: "CONNECT", bytes: "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n", code: "method_not_allowed" },

  {
    what: "headers over the limit",
    bytes: request(health, { "X-Long": "x".repeat(20_000) }),
    code: "headers_too_large",
  },
  { what: "a target over the limit", bytes: request(`GET /v1/${"x".repeat(20_000)}`), code: "headers_too_large" },
  { what: "a space in a header's name", bytes: request(health, { "X Y": "z" }), code: "validation_failed" },
  {
    what: "a header without a colon",
    bytes: `${health} HTTP/1.1\r\nHost: x\r\nnothing\r\n\r\n`,
    code: "validation_failed",
  },
  { what: "NUL in a header", bytes: request(health, { "X-Y": "a\0b" }), code: "validation_failed" },
  {
    what: "a header over two lines",
    bytes: `${health} HTTP/1.1\r\nHost: x\r\nX-Y: a\r\n b\r\n\r\n`,
    code: "validation_failed",
  },
  {
    what: "an unknown expectation",
    bytes: request(health, { Expect: "wonders" }),
    code: "validation_failed",
    field: "Expect",
  },

  {
    what: "a length and a chunked body",
    bytes: request("POST /v1/tasks", { "Content-Length": "2", "Transfer-Encoding": "chunked" }, "0\r\n\r\n"),
    code: "validation_failed",
  },
  {
    what: "two lengths",
    bytes: request("POST /v1/tasks", { "Content-Length": "2", "content-length": "3" }, "{}"),
    code: "validation_failed",
  },
  {
    what: "a length below zero",
    bytes: request("POST /v1/tasks", { "Content-Length": "-2" }, "{}"),
    code: "validation_failed",
  },
  {
    what: "a length that is not a number",
    bytes: request("POST /v1/tasks", { "Content-Length": "two" }, "{}"),
    code: "validation_failed",
  },
  {
    what: "an unknown transfer coding",
    bytes: request("POST /v1/tasks", { "Transfer-Encoding": "magic" }, "{}"),
    code: "validation_failed",
  },
  {
    what: "a chunk without a size",
    bytes: request(
      "POST /v1/tasks",
      { "Content-Type": "application/json", "Transfer-Encoding": "chunked" },
      "zz\r\n{}\r\n0\r\n\r\n",
    ),
    code: "validation_failed",
  },
  {
    what: "a length over the limit, without a body",
    bytes: request("POST /v1/tasks", {
      "Content-Type": "application/json",
      "Content-Length": String(limits.bodyBytesMax + 1),
    }),
    code: "payload_too_large",
  },

  { what: "an unknown path", bytes: request("GET /v1/nothing"), code: "not_found" },
  { what: "the root", bytes: request("GET /"), code: "not_found" },
  { what: "another version of the API", bytes: request("GET /v2/health"), code: "not_found" },
  { what: "the remote API on the local socket", bytes: request("GET /api/v1/manifest"), code: "not_found" },
  { what: "a slash after the path", bytes: request("GET /v1/tasks/"), code: "not_found" },
  { what: "two slashes before the path", bytes: request("GET //v1/health"), code: "not_found" },
  { what: "a path in upper case", bytes: request("GET /V1/Health"), code: "not_found" },
  {
    what: "an absolute target with an unknown path",
    bytes: request("GET http://elsewhere/v1/nothing"),
    code: "not_found",
  },
  { what: "an invalid escape", bytes: request("GET /v1/tasks/%zz"), code: "not_found" },
  { what: "an escaped slash", bytes: request(`GET /v1/tasks/a%2F${missing.task}`), code: "not_found" },
  { what: "an escaped NUL", bytes: request("GET /v1/tasks/%00"), code: "not_found" },
  { what: "dots that leave the path", bytes: request("GET /v1/tasks/../../etc/passwd"), code: "not_found" },
  {
    what: "an upgrade of an unknown path",
    bytes: request("GET /v1/nothing", { Connection: "Upgrade", Upgrade: "websocket" }),
    code: "not_found",
  },
  { what: "OPTIONS of a path", bytes: request("OPTIONS /v1/tasks"), code: "method_not_allowed" },
  { what: "TRACE", bytes: request("TRACE /v1/tasks"), code: "method_not_allowed" },
  { what: "a WebDAV method", bytes: request("PROPFIND /v1/tasks"), code: "method_not_allowed" },

  { what: "Origin", bytes: request(health, { Origin: "https://example.org" }), code: "origin_rejected" },
  { what: "an Origin of null", bytes: request(health, { Origin: "null" }), code: "origin_rejected" },
  { what: "an empty Origin", bytes: request(health, { Origin: "" }), code: "origin_rejected" },
  {
    what: "Origin with an unknown path",
    bytes: request("GET /v1/nothing", { origin: "http://localhost" }),
    code: "origin_rejected",
  },
  {
    what: "Origin in a write",
    bytes: post("/v1/tasks", "{}", { Origin: "http://localhost" }),
    code: "origin_rejected",
  },
  { what: "Referer", bytes: request(health, { Referer: "https://example.org/page" }), code: "origin_rejected" },
  {
    what: "a page of another site",
    bytes: request(health, { "Sec-Fetch-Site": "cross-site" }),
    code: "origin_rejected",
  },
  {
    what: "a page of the same origin",
    bytes: request(health, { "Sec-Fetch-Site": "same-origin" }),
    code: "origin_rejected",
  },
  {
    what: "Origin with an upgrade",
    bytes: request(health, { Origin: "http://a", Connection: "Upgrade", Upgrade: "websocket" }),
    code: "origin_rejected",
  },

  { what: "a query parameter without a name", bytes: request("GET /v1/tasks?=x"), code: "validation_failed" },
  { what: "no name and no value", bytes: request("GET /v1/tasks?q=a&="), code: "validation_failed" },
  { what: "a query parameter twice", bytes: request("GET /v1/tasks?q=a&q=a"), code: "validation_failed", field: "q" },
  {
    what: "a query parameter twice, once in escapes",
    bytes: request("GET /v1/tasks?q=a&%71=a"),
    code: "validation_failed",
    field: "q",
  },
  {
    what: "an unknown query parameter twice",
    bytes: request("GET /v1/health?x=1&x=1"),
    code: "validation_failed",
    field: "x",
  },
  {
    what: "__proto__ as a query parameter",
    bytes: request("GET /v1/tasks?__proto__=x"),
    code: "validation_failed",
    field: "__proto__",
  },
  ...["%ff", "%C3%28", "%C0%80", "%ED%A0%80", "%F5%80%80%80", "%zz", "%4", "%"].map((value) => ({
    what: `${value} in a query, which is not UTF-8`,
    bytes: request(`GET /v1/tasks?q=a${value}`),
    code: "validation_failed" as const,
    field: "q",
  })),
  { what: "a name in a query that is not UTF-8", bytes: request("GET /v1/tasks?%ff=a"), code: "validation_failed" },
  {
    what: "an Idempotency-Key twice",
    bytes: post("/v1/tasks", '{"name":"a"}', { "Idempotency-Key": "a", "idempotency-key": "a" }),
    code: "validation_failed",
    field: "Idempotency-Key",
  },
  {
    what: "If-Match twice",
    bytes: post("/v1/tasks/x/enable", "", { "If-Match": "*", "if-match": "*" }),
    code: "validation_failed",
    field: "If-Match",
  },
  { what: "an unknown query parameter", bytes: request("GET /v1/health?x=1"), code: "validation_failed", field: "x" },
  { what: "a body cut short in its JSON", bytes: post("/v1/tasks", '{"name":"a"'), code: "validation_failed" },
  { what: "no body where one is needed", bytes: post("/v1/tasks", ""), code: "validation_failed" },
  {
    what: "bytes that are not UTF-8",
    bytes: post("/v1/tasks", Buffer.from('{"name":"\xff\xfe"}', "latin1")),
    code: "validation_failed",
  },
  {
    what: "half of a surrogate pair in a name",
    bytes: post("/v1/tasks", String.raw`{"name":"a\ud800"}`),
    code: "validation_failed",
    field: "name",
  },
  {
    what: "half of a surrogate pair in a script",
    bytes: post("/v1/tasks", String.raw`{"name":"a","command":{"kind":"shell","script":"echo \udc00\ud800"}}`),
    code: "validation_failed",
    field: "command.script",
  },
  {
    what: "half of a surrogate pair in an argument",
    bytes: post(
      "/v1/tasks",
      String.raw`{"name":"a","command":{"kind":"exec","program":"a","arguments":["b","\uDBFF"]}}`,
    ),
    code: "validation_failed",
    field: "command.arguments.1",
  },
  {
    what: "half of a surrogate pair in a value of the environment",
    bytes: post("/v1/tasks", String.raw`{"name":"a","environment":{"A":"\uD83d"}}`),
    code: "validation_failed",
    field: "environment.A",
  },
  {
    what: "half of a surrogate pair in an import",
    bytes: post("/v1/import", String.raw`{"tasks":[{"key":"a","name":"a"},{"key":"\ud800","name":"b"}]}`),
    code: "validation_failed",
    field: "tasks.1.key",
  },
  {
    what: "half of a surrogate pair in a trigger's key",
    bytes: post("/v1/triggers/fire", String.raw`{"key":"\ud800"}`),
    code: "validation_failed",
    field: "key",
  },
  {
    what: "half of a surrogate pair in the name of a member",
    bytes: post("/v1/tasks", String.raw`{"name":"a","a\ud800":1}`),
    code: "validation_failed",
    field: "a\ufffd",
  },
  {
    what: "no content type",
    bytes: post("/v1/tasks", '{"name":"a"}', { "Content-Type": undefined }),
    code: "unsupported_media_type",
    field: "Content-Type",
  },
  {
    what: "a chunked body without a content type",
    bytes: request("POST /v1/tasks", { "Transfer-Encoding": "chunked" }, "2\r\n{}\r\n0\r\n\r\n"),
    code: "unsupported_media_type",
    field: "Content-Type",
  },
  {
    what: "two content types",
    bytes: post("/v1/tasks", '{"name":"a"}', { "content-type": "text/plain" }),
    code: "unsupported_media_type",
    field: "Content-Type",
  },
  ...[
    "application/x-www-form-urlencoded",
    "text/json",
    "application/problem+json",
    "application/json, text/plain",
    "application/jsonx",
    "application/json; charset=latin1",
    'application/json; charset="utf-16"',
    "application/json; charset=utf-8; charset=iso-8859-1",
    "application/json; charset",
    "application/json;charset=",
    "",
  ].map((type) => ({
    what: `a body of type ${JSON.stringify(type)}`,
    bytes: post("/v1/tasks", '{"name":"a"}', { "Content-Type": type }),
    code: "unsupported_media_type" as const,
    field: "Content-Type",
  })),
  {
    what: "a body of another type for an operation without a body",
    bytes: post("/v1/tasks/x/enable", "{}", { "Content-Type": "text/plain" }),
    code: "unsupported_media_type",
    field: "Content-Type",
  },
  ...["gzip", "br", "identity, gzip", "x"].map((encoding) => ({
    what: `a body encoded as ${encoding}`,
    bytes: post("/v1/tasks", '{"name":"a"}', { "Content-Encoding": encoding }),
    code: "unsupported_media_type" as const,
    field: "Content-Encoding",
  })),
  { what: "arrays 100,000 deep", bytes: post("/v1/tasks", nested(100_000)), code: "validation_failed" },
  {
    what: "arrays 100,000 deep in a member",
    bytes: post("/v1/tasks", `{"name":"a","labels":${nested(100_000)}}`),
    code: "validation_failed",
    field: "labels",
  },
  {
    what: "arrays 100,000 deep in a value",
    bytes: post("/v1/tasks", `{"name":"a","environment":{"A":${nested(100_000)}}}`),
    code: "validation_failed",
    field: "environment.A",
  },
  {
    what: "__proto__ as a member",
    bytes: post("/v1/tasks", '{"name":"a","__proto__":{"enabled":false}}'),
    code: "validation_failed",
    field: "__proto__",
  },
  {
    what: "__proto__ as an environment name",
    bytes: post("/v1/tasks", '{"name":"a","environment":{"__proto__":"x"}}'),
    code: "validation_failed",
    field: "environment.__proto__",
  },
  {
    what: "__proto__ as a label, written with an escape",
    bytes: post("/v1/tasks", String.raw`{"name":"a","labels":{"\u005f_proto__":"x"}}`),
    code: "validation_failed",
    field: "labels.__proto__",
  },
  {
    what: "constructor as a member",
    bytes: post("/v1/tasks", '{"name":"a","constructor":{"prototype":{"x":1}}}'),
    code: "validation_failed",
    field: "constructor",
  },
  {
    what: "a number too large for a double",
    bytes: post("/v1/tasks", '{"name":"a","priority":1e999}'),
    code: "validation_failed",
    field: "priority",
  },
  {
    what: "a number of 1,000 digits",
    bytes: post("/v1/tasks", `{"name":"a","priority":${"9".repeat(1_000)}}`),
    code: "validation_failed",
    field: "priority",
  },
  {
    what: "a fraction instead of a whole number",
    bytes: post("/v1/tasks", '{"name":"a","priority":0.5}'),
    code: "validation_failed",
    field: "priority",
  },
  {
    what: "an empty idempotency key",
    bytes: post("/v1/tasks", '{"name":"a"}', { "Idempotency-Key": "" }),
    code: "validation_failed",
    field: "Idempotency-Key",
  },
];
