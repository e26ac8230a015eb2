export interface LabelFilter {
  readonly labelKey?: string | undefined;
  readonly labelValue?: string | undefined;
}

/** Reads the `label` parameter of a list: `key` or `key:value`. */
export function readLabelFilter(label: string | undefined): LabelFilter {
  const colon = label?.indexOf(":") ?? -1;
  return colon < 0 ? { labelKey: label } : { labelKey: label?.slice(0, colon), labelValue: label?.slice(colon + 1) };
}
