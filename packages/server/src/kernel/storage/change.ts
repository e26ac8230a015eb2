/** Wire names of the columns of a change that differ from the row; a patch that changes nothing leaves no trace. */
export function changedMembers<R extends object>(row: R, change: Partial<R>): readonly string[] {
  const changed: string[] = [];
  for (const [column, value] of Object.entries(change)) {
    if (!isSame(value, (row as Readonly<Record<string, unknown>>)[column])) changed.push(wireName(column));
  }
  return [...new Set(changed)];
}

/** Sealed columns and their helpers are told by the member they hold. */
const otherNames: Readonly<Record<string, string>> = {
  nameKey: "name",
  environmentNames: "environment",
  environmentSealed: "environment",
  standardInputSealed: "standard_input",
  targetTaskName: "target_task_id",
  keyPrefix: "key",
  keyHash: "key",
  keySealed: "key",
  keyNumber: "key",
  endpointSealed: "endpoint",
  endpointSummary: "endpoint",
  authorizationSealed: "authorization",
  signingSecretSealed: "signing_secret",
};

/** What is sealed, by its name in the changes of a fact. A whole Trigger Set tells of its `keys`. */
export const sealedMembers: ReadonlySet<string> = new Set([
  "keys",
  ...Object.keys(otherNames)
    .filter((column) => column.endsWith("Sealed"))
    .map(wireName),
]);

function wireName(column: string): string {
  return otherNames[column] ?? column.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
