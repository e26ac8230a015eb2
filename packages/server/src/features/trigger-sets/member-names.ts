import { limits, type TriggerSetCreate } from "@belfry/contract";
import { invalid } from "../../kernel/errors.ts";

/** The members' names in their order: as they were given, or after the set. */
export function memberNames(input: TriggerSetCreate): readonly { readonly name: string; readonly field: string }[] {
  if (input.member_names !== undefined)
    return input.member_names.map((name, index) => ({ name, field: `member_names.${index}` }));
  const names = Array.from({ length: input.count ?? 0 }, (_, index) => `${input.name} ${index + 1}`);
  if ([...(names.at(-1) ?? "")].length > limits.nameCharactersMax) {
    throw invalid(
      "name",
      `is too long to name its members after: shorten it, or give member_names of ${limits.nameCharactersMax} characters at most`,
    );
  }
  return names.map((name) => ({ name, field: "name" }));
}
