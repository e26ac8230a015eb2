import type { Operation } from "@belfry/contract";

/** A path of the API as it is served, with every method that it takes. */
interface Place {
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

/**
 * For a path that no method fits: the methods this transport does take there, HEAD among them wherever GET is; or null
 * where there is nothing at all.
 */
export function matchMethods(operations: readonly Operation[], base: string): (path: string) => string | null {
  const places = placesOf(operations, base);
  return (path) => {
    const place = places.find((own) => own.path === path) ?? places.find(({ pattern }) => pattern.test(path));
    if (place === undefined) return null;
    const { methods } = place;
    return [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].sort().join(", ");
  };
}

/**
 * `/schedules/preview` would also be a `/schedules/{id}`: the methods that such a path does not take itself, and that
 * must not reach what its name is no id for.
 */
export function overshadowedMethods(operations: readonly Operation[], base: string) {
  const places = placesOf(operations, base);
  return places
    .filter(({ path }) => !path.includes("{"))
    .map(({ path, methods }) => {
      const others = places.filter((other) => other.path !== path && other.pattern.test(path));
      return { path, methods: others.flatMap((other) => other.methods.filter((method) => !methods.includes(method))) };
    })
    .filter(({ methods }) => methods.length > 0);
}

function placesOf(operations: readonly Operation[], base: string): readonly Place[] {
  return [...Map.groupBy(operations, ({ path }) => `${base}${path}`)].map(([path, served]) => ({
    path,
    pattern: patternOf(path),
    methods: served.map(({ method }) => method.toUpperCase()),
  }));
}

function patternOf(path: string): RegExp {
  const source = path
    .split("/")
    .map((part) => (part.startsWith("{") ? "[^/]+" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)))
    .join("/");
  return new RegExp(`^${source}$`);
}
