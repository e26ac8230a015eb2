import { expect, test } from "vitest";
import { formatInvitation, type Invitation, parseInvitation } from "./invitation.ts";

const byRoot: Invitation = {
  pairingId: "par_Wd5Kz8QmTx2Rv7JbNc4H",
  daemonId: "ins_c8Rk3MwYt6Vz1NqPx0Hd",
  addresses: ["build.example.org:7443", "[2001:db8::1]:7443"],
  trust: { kind: "root", certificate: Uint8Array.from({ length: 420 }, (_, index) => (index * 7) % 256) },
};
const byKey: Invitation = { ...byRoot, trust: { kind: "key", publicKeySha256: "0f".repeat(32) } };

test.each([byRoot, byKey])("an invitation is one line that is read back", (invitation) => {
  const text = formatInvitation(invitation);
  expect(text).toMatch(/^[\w.-]+$/);
  expect(text.length).toBeLessThan(1_000);
  expect(parseInvitation(text)).toEqual(invitation);
});

test("white space, as wrapped lines add it, is ignored", () => {
  const text = formatInvitation(byRoot);
  expect(parseInvitation(` ${text.slice(0, 80)}\n${text.slice(80)}\n`)).toEqual(byRoot);
});

test("a text that was cut or changed is not an invitation", () => {
  const text = formatInvitation(byRoot);
  for (let length = 0; length < text.length; length++) expect(parseInvitation(text.slice(0, length))).toBeNull();
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === "A" ? "B" : "A";
    expect(parseInvitation(`${text.slice(0, at)}${other}${text.slice(at + 1)}`), String(at)).toBeNull();
  }
});
