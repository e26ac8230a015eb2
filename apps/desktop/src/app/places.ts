/** The places of the rail, with the keys that lead there. */
export const places = [
  { to: "/", name: "Now", keys: "g n" },
  { to: "/tasks", name: "Tasks", keys: "g t" },
  { to: "/runs", name: "Runs", keys: "g r" },
  { to: "/agenda", name: "Agenda", keys: "g a" },
  { to: "/import", name: "Import", keys: "g i" },
  { to: "/triggers", name: "Triggers", keys: "g k" },
  { to: "/watchers", name: "Watchers", keys: "g w" },
  { to: "/channels", name: "Channels", keys: "g c" },
  { to: "/deliveries", name: "Deliveries", keys: "g d" },
  { to: "/access", name: "Access", keys: "g p" },
  { to: "/audit", name: "Audit", keys: "g u" },
  { to: "/connections", name: "Connections", keys: "g o" },
] as const;

/** The page to which a page belongs that was opened by its address, without one before it. */
export function placeAbove(path: string): (typeof places)[number]["to"] {
  const [, first] = path.split("/");
  const place = places.find(({ to }) => to === `/${first}`);
  return place === undefined || place.to === path ? "/" : place.to;
}
