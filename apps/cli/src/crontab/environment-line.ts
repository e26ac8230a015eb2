const setting = new RegExp(
  [
    /^(?:"(?<doubled>[^"=]*)"|'(?<single>[^'=]*)'|(?<bare>(?!["'])[^\s=]+))/, // the name, quoted or not
    /\s*=\s*/,
    /(?:"(?<doubledValue>[^"]*)"\s*|'(?<singleValue>[^']*)'\s*|(?<bareValue>(?!["']).*))$/,
  ]
    .map((part) => part.source)
    .join(""),
  "s",
);

/**
 * `NAME = value`, or null for a line that is none. As in cron's load_env: blanks around `=` go, matching quotes keep
 * the blanks within them, nothing is expanded, and what follows a closing quote makes the line something else.
 */
export function parseEnvironmentLine(text: string): { readonly name: string; readonly value: string } | null {
  const groups = setting.exec(text)?.groups;
  if (groups === undefined) return null;
  const name = groups["doubled"] ?? groups["single"] ?? groups["bare"] ?? "";
  const value = groups["doubledValue"] ?? groups["singleValue"] ?? (groups["bareValue"] ?? "").trimEnd();
  return { name, value };
}
