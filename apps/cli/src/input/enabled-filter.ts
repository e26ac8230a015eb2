import { usage } from "../failure.ts";

/** The filter of `--enabled` and `--disabled`; undefined without either. */
export function enabledFilter({
  enabled,
  disabled,
}: {
  readonly enabled?: true | undefined;
  readonly disabled?: true | undefined;
}): boolean | undefined {
  if (enabled === true && disabled === true)
    throw usage("--enabled and --disabled cannot be combined. Use one of them, or none to list both");
  return enabled === true ? true : disabled === true ? false : undefined;
}
