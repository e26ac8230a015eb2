import type { Operation } from "@belfry/contract";

/** A path of the API, with every method that is served there. */
interface Place {
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

/**
 * Returns a function that lists the methods of a path on this transport, with HEAD wherever there is GET. It returns
 * null for a path that does not exist.
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
 * Lists the methods that a fixed path does not have, but a matching path with an id does. They must be rejected:
 * `/schedules/preview` also matches `/schedules/{id}`, but `preview` is not an id.
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
