/**
 * Returns the host name that the certificate of a daemon always contains, and that clients check: it is made from the
 * identity of the installation, so a new address of the machine changes nothing for a client.
 */
export function serverNameOf(installationId: string): string {
  const hex = [...new TextEncoder().encode(installationId)].map((byte) => byte.toString(16).padStart(2, "0"));
  return `${hex.join("")}.belfry.internal`;
}
