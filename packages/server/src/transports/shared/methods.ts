import type { Operation } from "@belfry/contract";

/** For a path that no method fits: the methods this transport does take there, or null where there is nothing at all. */
export function matchMethods(operations: readonly Operation[], base: string): (path: string) => string | null {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of operations) {
    const methods = byPath.get(path) ?? new Set();
    byPath.set(path, methods.add(method.toUpperCase()));
  }
  const patterns = [...byPath].map(([path, methods]) => ({
    pattern: patternOf(`${base}${path}`),
    methods: [...methods],
  }));
  return (path) => {
    // `/schedules/preview` is also a `/schedules/{id}`
    const methods = new Set(patterns.flatMap((known) => (known.pattern.test(path) ? known.methods : [])));
    return methods.size === 0 ? null : [...methods].sort().join(", ");
  };
}

function patternOf(path: string): RegExp {
  const source = path
    .split("/")
    .map((part) => (part.startsWith("{") ? "[^/]+" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)))
    .join("/");
  return new RegExp(`^${source}$`);
}
