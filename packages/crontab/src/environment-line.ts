const setting = new RegExp(
  [
    /^(?:"(?<doubled>[^"=]*)"|'(?<single>[^'=]*)'|(?<bare>(?!["'])[^ \t\v\f\r=]*))/, // the name, quoted or not
    /[ \t\v\f\r]*=[ \t\v\f\r]*/,
    /(?:"(?<doubledValue>[^"]*)"[ \t\v\f\r]*|'(?<singleValue>[^']*)'[ \t\v\f\r]*|(?<bareValue>[^"' \t\v\f\r].*))$/,
  ]
    .map((part) => part.source)
    .join(""),
  "s",
);

/** Debian's cron silently ignores the rest of a longer setting. */
const bytesMax = 998;

interface Setting {
  readonly name: string;
  readonly value: string;
}

/**
 * Parses `NAME = value`; null for any other line. As in cron's load_env: spaces around `=` are dropped, matching quotes
 * keep the spaces within them, an empty value needs quotes, and a line with text after the closing quote is no setting.
 */
export function parseEnvironmentLine(text: string): Setting | { readonly reason: string } | null {
  const empty = /^([A-Za-z_]\w*)[ \t\r]*=[ \t\r]*$/.exec(text)?.[1];
  if (empty !== undefined) return { reason: `${empty} has no value. For an empty value, write ${empty}=""` };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= bytesMax) return matchSetting(text);
  const part = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, bytesMax));
  const isSetting = matchSetting(part) !== null;
  return isSetting ? { reason: `cron reads only the first ${bytesMax} bytes of this setting. Shorten it` } : null;
}

function matchSetting(text: string): Setting | null {
  const groups = setting.exec(text)?.groups;
  if (groups === undefined) return null;
  const name = groups["doubled"] ?? groups["single"] ?? groups["bare"] ?? "";
  const value =
    groups["doubledValue"] ?? groups["singleValue"] ?? (groups["bareValue"] ?? "").replace(/[ \t\v\f\r]+$/, "");
  return { name, value };
}
