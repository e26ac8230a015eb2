import { type Operation, unknownName } from "@belfry/contract";
import { AppError, invalid } from "../../kernel/errors/errors.ts";
import { excerpt } from "../../kernel/log/redact.ts";
import { quoteUnlessPlain } from "./validation.ts";

const none: Readonly<Record<string, string>> = {};

/**
 * Reads the query of a request. Every name must be the operation's own and occur once. The query must be
 * percent-encoded UTF-8: other bytes would be replaced or kept, and the daemon would search for another value than the
 * client meant.
 */
export function readQuery(url: string, operation: Operation): Readonly<Record<string, string>> {
  const start = url.indexOf("?");
  if (start < 0) return none;
  const known = Object.keys(operation.query?.shape ?? {});
  const query: Record<string, string> = {};
  for (const part of url
    .slice(start + 1)
    .split("#", 1)[0]!
    .split("&")) {
    // separators with nothing between them
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    if (name === null)
      throw new AppError("validation_failed", "the name of a query parameter must be percent-encoded UTF-8");
    if (name === "")
      throw new AppError("validation_failed", "the query has a parameter without a name: write it as name=value");
    if (!known.includes(name))
      throw invalid(
        name,
        `${quoteUnlessPlain(excerpt(name))} ${unknownName(name, { what: "query parameter", known })}`,
      );
    if (Object.hasOwn(query, name)) throw invalid(name, `${name} was given more than once: send it once`);
    const value = equals < 0 ? "" : decode(part.slice(equals + 1));
    if (value === null) throw invalid(name, `${name} must be percent-encoded UTF-8`);
    query[name] = value;
  }
  return query;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
