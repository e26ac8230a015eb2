import { countEdits } from "@belfry/contract";

/** Zones that `Intl` lists only by an older name. */
const renamedZones = [
  "UTC",
  "Africa/Asmara",
  "America/Argentina/Buenos_Aires",
  "America/Atikokan",
  "America/Nuuk",
  "Asia/Ho_Chi_Minh",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Yangon",
  "Atlantic/Faroe",
  "Europe/Kyiv",
  "Pacific/Chuuk",
  "Pacific/Kanton",
  "Pacific/Pohnpei",
];

/** Suggests the zone that the user most likely meant: the one whose whole name, or whose city, is mistyped least. */
export function suggestZone(text: string): string | null {
  const wanted = text.trim().toLowerCase().replaceAll(/\s+/g, "_").slice(0, 50);
  const guesses = [...Intl.supportedValuesOf("timeZone"), ...renamedZones].map((name) => {
    const known = name.toLowerCase();
    const whole = countEdits(wanted, known) / wanted.length;
    const city = countEdits(cityOf(wanted), cityOf(known)) / cityOf(wanted).length;
    // the continent decides between two zones of the same city
    return { name, mistyped: Math.min(whole, city + whole / 100) };
  });
  const nearest = guesses.reduce((best, next) => (next.mistyped < best.mistyped ? next : best));
  return nearest.mistyped <= 1 / 3 ? nearest.name : null;
}

function cityOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
