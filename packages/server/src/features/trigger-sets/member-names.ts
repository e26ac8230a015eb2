import { limits, type TriggerSetCreate } from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";

/** The members' names in their order: as they were given, or after the set. */
export function memberNames(input: TriggerSetCreate): readonly { readonly name: string; readonly field: string }[] {
  if ("member_names" in input)
    return input.member_names.map((name, index) => ({ name, field: `member_names.${index}` }));
  const names = Array.from({ length: input.count }, (_, index) => `${input.name} ${index + 1}`);
  if ([...(names.at(-1) ?? "")].length > limits.nameCharactersMax) {
    throw invalid(
      "name",
      `name is too long, because each member is named after it with a number: shorten it, or give member_names of at most ${limits.nameCharactersMax} characters`,
    );
  }
  return names.map((name) => ({ name, field: "name" }));
}
