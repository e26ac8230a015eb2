import { capabilities, catalogue } from "@belfry/contract";
import { expect, test } from "vitest";
import { requireCapability } from "./require-capability.ts";

test("a caller may use operations of its own capability or a lower one, and a refusal names the missing capability", () => {
  for (const operation of catalogue) {
    for (const [held, capability] of capabilities.entries()) {
      const call = () =>
        requireCapability(
          { id: "act_1", name: "somebody", capability, transport: "remote", credentialId: "crd_1" },
          operation,
        );
      if (held >= capabilities.indexOf(operation.capability)) call();
      else
        expect(call).toThrow(
          `this operation requires the capability ${operation.capability}, but the actor "somebody" has only ${capability}`,
        );
    }
  }
});
