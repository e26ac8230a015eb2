import { limits, type TriggerSetCreate } from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";

/** Returns the members' names in order: the given ones, or the name of the set with numbers. */
export function memberNames(input: TriggerSetCreate): readonly { readonly name: string; readonly field: string }[] {
  if ("member_names" in input)
    return input.member_names.map((name, index) => ({ name, field: `member_names.${index}` }));
  const names = Array.from({ length: input.count }, (_, index) => `${input.name} ${index + 1}`);
  if ([...(names.at(-1) ?? "")].length > limits.nameCharactersMax) {
    throw invalid(
      "name",
      `name is too long: this name, a space and the member's number must together have at most ${limits.nameCharactersMax} characters. Use a shorter name, or give member_names`,
    );
  }
  return names.map((name) => ({ name, field: "name" }));
}
