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

/** Debian's cron reads no more of a setting, and says nothing. */
const bytesMax = 998;

interface Setting {
  readonly name: string;
  readonly value: string;
}

/**
 * `NAME = value`, or null for a line that is none. As in cron's load_env: blanks around `=` go, matching quotes keep
 * the blanks within them, an empty value needs quotes, and what follows a closing quote makes the line something else.
 */
export function parseEnvironmentLine(text: string): Setting | { readonly reason: string } | null {
  const empty = /^([A-Za-z_]\w*)[ \t\r]*=[ \t\r]*$/.exec(text)?.[1];
  if (empty !== undefined) return { reason: `${empty} has no value. Write ${empty}=""` };
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return matchSetting(text);
  const isSetting = matchSetting(bytes.subarray(0, bytesMax).toString("utf8")) !== null;
  return isSetting ? { reason: `cron reads only the first ${bytesMax} bytes of this setting` } : null;
}

function matchSetting(text: string): Setting | null {
  const groups = setting.exec(text)?.groups;
  if (groups === undefined) return null;
  const name = groups["doubled"] ?? groups["single"] ?? groups["bare"] ?? "";
  const value =
    groups["doubledValue"] ?? groups["singleValue"] ?? (groups["bareValue"] ?? "").replace(/[ \t\v\f\r]+$/, "");
  return { name, value };
}
