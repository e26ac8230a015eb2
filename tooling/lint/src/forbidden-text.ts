import type { Violation } from "./imports.ts";
import { allSources } from "./sources.ts";

/** Text that disables a check. oxlint obeys the first kind, and cannot see the second kind inside a string. */
const forbidden = [
  {
    pattern: /\b(?:ox|es)lint-(?:disable|enable)/,
    message: "No rule is switched off in a source: change the code, or the rule for everyone.",
  },
  {
    pattern: /NODE_TLS_REJECT_UNAUTHORIZED|["'`]rejectUnauthorized["'`]/,
    message: "A connection that does not check its peer is not offered anywhere.",
  },
];

export function checkForbiddenText(root: string): readonly Violation[] {
  // this package must itself contain the forbidden text
  const sources = allSources(root).filter(({ path }) => !path.startsWith("tooling/lint/"));
  return sources.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      const broken = forbidden.filter(({ pattern }) => pattern.test(line));
      return broken.map(({ message }) => ({ file: path, line: index + 1, message }));
    }),
  );
}
