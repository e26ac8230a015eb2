/** How names are compared: two that a person would call the same are the same. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
