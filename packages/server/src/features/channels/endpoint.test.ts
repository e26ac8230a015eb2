import { describe, expect, test } from "vitest";
import { AppError } from "../../kernel/errors/errors.ts";
import { classifyAddress } from "./address-class.ts";
import { readEndpoint, refusalOfAddress } from "./endpoint.ts";

const rules = { denyPrivate: false };
const strict = { denyPrivate: true };

function refusalOf(text: string, by = rules): string | null {
  try {
    readEndpoint(text, by);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect([error.code, error.field]).toEqual(["validation_failed", "endpoint"]);
    return error.message;
  }
}

/**
 * Hosts in many notations, each with the reason of its refusal, or null if it is accepted. `!` marks a host that only
 * `deny_private` refuses.
 */
const hosts: readonly (readonly [host: string, why: RegExp | null, onlyStrict?: "!"])[] = [
  ["hooks.example.com", null],
  ["93.184.215.14", null],
  ["[2606:2800:21f:cb07:6820:80da:af6b:8b2c]", null],
  ["127.0.0.1", null],
  ["localhost", null],
  ["[::1]", null],
  ["[::ffff:127.0.0.1]", null],
  ["0x7f000001", null],
  ["2130706433", null],
  ["127.1", null],
  ["10.0.0.1", /private/, "!"],
  ["172.16.0.1", /private/, "!"],
  ["172.31.255.255", /private/, "!"],
  ["172.32.0.0", null],
  ["192.168.1.1", /private/, "!"],
  ["0xc0a80101", /private/, "!"],
  ["3232235777", /private/, "!"],
  ["192.168.257", /private/, "!"],
  ["100.64.0.1", /private/, "!"],
  ["198.18.0.1", /private/, "!"],
  ["[fd00::1]", /private/, "!"],
  ["[fc00::1]", /private/, "!"],
  ["[fec0::1]", /private/, "!"],
  ["[::ffff:10.0.0.1]", /private/, "!"],
  ["[::ffff:a00:1]", /private/, "!"],
  ["169.254.1.1", /link-local/],
  ["169.254.169.254", /cloud metadata/],
  ["0xa9fea9fe", /cloud metadata/],
  ["2852039166", /cloud metadata/],
  ["0251.0376.0251.0376", /cloud metadata/],
  ["①⑥⑨.②⑤④.①⑥⑨.②⑤④", /cloud metadata/],
  ["169.254.169.254.", /cloud metadata/],
  ["[::ffff:169.254.169.254]", /cloud metadata/],
  ["[::ffff:a9fe:a9fe]", /cloud metadata/],
  ["[fd00:ec2::254]", /cloud metadata/],
  ["100.100.100.200", /cloud metadata/],
  ["168.63.129.16", /cloud metadata/],
  ["[fe80::1]", /link-local/],
  ["[febf::1]", /link-local/],
  ["224.0.0.1", /multicast/],
  ["239.255.255.250", /multicast/],
  ["[ff02::1]", /multicast/],
  ["[ff0e::1]", /multicast/],
  ["0.0.0.0", /an unspecified address/],
  ["0", /an unspecified address/],
  ["0.1.2.3", /an unspecified address/],
  ["[::]", /an unspecified address/],
  ["[::ffff:0.0.0.0]", /an unspecified address/],
  ["255.255.255.255", /reserved/],
  ["240.0.0.1", /reserved/],
  ["[64:ff9b::a9fe:a9fe]", /reserved/],
  ["[64:ff9b::10.0.0.1]", /reserved/],
  ["[64:ff9b::8.8.8.8]", null],
  ["[64:ff9b:1::7f00:1]", /reserved/],
  ["[64:ff9b:1:a9fe:a9:fe00:808:808]", /reserved/],
  ["[2002:a9fe:a9fe::1]", /reserved/],
  ["[2002:7f00:1::]", /reserved/],
  ["[2002:808:808::1]", null],
  ["[::10.0.0.1]", /reserved/],
  ["[::ffff:0:127.0.0.1]", /reserved/],
  ["[2001::1]", /reserved/],
];

describe(`${hosts.length} forms of a host are accepted or refused when an endpoint is stored`, () => {
  test.each(hosts.map(([host, why, onlyStrict]) => ({ host, why, onlyStrict })))(
    "https://$host",
    ({ host, why, onlyStrict }) => {
      const url = `https://${host}/hook`;
      const [lax, denied] = [refusalOf(url), refusalOf(url, strict)];
      if (why === null || onlyStrict === "!") expect(lax).toBeNull();
      else expect(lax).toMatch(why);
      if (why === null) expect(denied).toBeNull();
      else expect(denied).toMatch(why);
    },
  );

  test("each address among them gets the same verdict when the daemon connects to it", () => {
    for (const [host, why, onlyStrict] of hosts) {
      const { hostname } = new URL(`https://${host}/`);
      const address = hostname.replace(/^\[|\]$/g, "");
      if (!/^[\d.]+$|:/.test(address)) continue;
      expect(refusalOfAddress(address, "https:", rules) === null, host).toBe(why === null || onlyStrict === "!");
      expect(refusalOfAddress(address, "https:", strict) === null, host).toBe(why === null);
    }
  });
});

test.each([
  "127.0.0.1:8080",
  "127.8.9.10",
  "localhost",
  "localhost:3000",
  "a.localhost",
  "[::1]:80",
  "[::ffff:127.0.0.1]",
])("plain http to this machine is accepted: http://%s", (host) => {
  expect(refusalOf(`http://${host}/hook`)).toBeNull();
});

test.each([
  "example.com",
  "10.0.0.1",
  "93.184.215.14",
  "localhost.example.com",
  "[fd00::1]",
  "notlocalhost",
  "127.0.0.1.nip.io",
])("plain http to any other machine is refused: http://%s", (host) => {
  expect(refusalOf(`http://${host}/hook`)).toMatch(/https/);
});

test("plain http to a resolved address is refused unless the address is of this machine", () => {
  expect(refusalOfAddress("127.0.0.1", "http:", rules)).toBeNull();
  for (const address of ["10.0.0.1", "93.184.215.14", "fd00::1", "2606:2800:21f::1"])
    expect(refusalOfAddress(address, "http:", rules)).toMatch(/https/);
});

test.each([
  ["https://user:pass@example.com/", /user name or password/],
  ["https://user@example.com/", /user name or password/],
  ["https://@example.com/", /user name or password/],
  ["https://:@example.com/", /user name or password/],
  ["https://example.com/#part", /fragment/],
  ["https://example.com/#", /fragment/],
  ["ftp://example.com/", /begin with https:\/\/, or with http:\/\/ for a receiver/],
  ["file:///etc/passwd", /complete URL|begin with https/],
  ["unix:///run/x.sock", /complete URL|begin with https/],
  ["javascript:alert(1)", /complete URL/],
  ["example.com/hook", /complete URL/],
  ["//example.com/hook", /complete URL/],
  ["https:/example.com", /complete URL/],
  ["https://", /complete URL/],
  ["https:///path", /complete URL/],
  [" https://example.com/", /spaces/],
  ["https://example.com/a b", /spaces/],
  ["https://exa\tmple.com/", /spaces/],
  ["https:\\\\example.com\\", /backslashes/],
  ["https://example.com/\u0000", /control/],
  ["https://example.com:99999/", /valid URL/],
  ["https://[fe80::1%25eth0]/", /valid URL/],
  ["https://exa mple.com/", /spaces/],
  ["https://1.2.3.4.5/", /valid URL/],
  ["https://256.1.1.1/", /valid URL/],
])("%s is refused with a message that says how to fix it", (text, why) => {
  expect(refusalOf(text)).toMatch(why);
  expect(refusalOf(text)).not.toContain("pass@");
});

const label63 = "a".repeat(63);
/** A host of 253 characters, the maximum. */
const longestHost = `${label63}.${label63}.${label63}.${"a".repeat(61)}`;

test.each([
  ["https://example.com:0/", "endpoint must not use port 0: use the port the receiver listens on"],
  ["https://example.com:00/", /port 0/],
  ["http://localhost:0/hook", /port 0/],
  ["https://[::1]:0/", /port 0/],
  [
    "https://hooks..example.com/",
    "endpoint must not have a host name that starts with a dot or contains two dots in a row: remove the extra dot",
  ],
  ["https://.example.com/", /starts with a dot or contains two dots in a row/],
  ["https://example.com../", /starts with a dot or contains two dots in a row/],
  ["https://./", /starts with a dot or contains two dots in a row/],
  ["https://../", /starts with a dot or contains two dots in a row/],
  ["http://.localhost/", /starts with a dot or contains two dots in a row/],
  [
    `https://a${label63}.example.com/`,
    "endpoint has a label of 64 characters in its host name: shorten the label to at most 63",
  ],
  [`https://ü${"a".repeat(59)}/`, /has a label of 67 characters in its host name: shorten the label to at most 63/],
  [`https://b.${longestHost}/`, "endpoint has a host name of 255 characters: shorten it to at most 253"],
  [
    "https://xn--a.example/",
    "endpoint has a host name label that begins with xn-- but is not valid Punycode: write the label in Unicode",
  ],
  ["https://xn--/", /Punycode/],
  ["https://hooks.xn--abc-/", /Punycode/],
  ["https://XN--zzzz99999.example/", /Punycode/],
])("%s, which can never work, is rejected", (text, why) => {
  expect(refusalOf(text)).toMatch(why);
});

test.each([
  `https://${longestHost}/`,
  `https://${longestHost}./`,
  `https://${label63}.example/`,
  "https://example.com./",
  "https://localhost./",
  "https://my_host.example:1/",
  "https://example.com:65535/",
  "https://xn--bcher-kva.example/",
  "https://bücher.example/",
  "https://xn--ls8h.la/",
  "https://ab--cd.example/",
])("%s has a host that can work, and is accepted", (text) => {
  expect(refusalOf(text)).toBeNull();
});

test("an endpoint is shown as its scheme, host and a port that is not the default", () => {
  const summaryOf = (text: string) => readEndpoint(text, rules).summary;
  expect(summaryOf("https://Hooks.Example.COM/secret/path?key=secret")).toBe("https://hooks.example.com");
  expect(summaryOf("https://example.com:443/")).toBe("https://example.com");
  expect(summaryOf("https://example.com:8443/x")).toBe("https://example.com:8443");
  expect(summaryOf("http://localhost:80/x")).toBe("http://localhost");
  expect(summaryOf("https://bücher.example/x")).toBe("https://xn--bcher-kva.example");
  expect(summaryOf("https://0x7f.1:99/x")).toBe("https://127.0.0.1:99");
});

test("an address that contains an IPv4 address, as the system prints it, is not treated as a mapped one", () => {
  expect(classifyAddress("::ffff:192.0.0.64")).toBe("private");
  expect(classifyAddress("::192.0.0.64")).toBe("reserved");
  expect(classifyAddress("64:ff9b::10.0.0.1")).toBe("reserved");
  expect(classifyAddress("64:ff9b::8.8.8.8")).toBe("public");
});

test("a text that is not an address is never allowed", () => {
  for (const text of ["", "example.com", "1.2.3", "fe80::1%eth0", "::ffff:1.2.3.4.5"])
    expect(classifyAddress(text)).toBe("reserved");
});
