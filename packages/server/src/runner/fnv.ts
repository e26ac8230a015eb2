/*
 * FNV-1a with 32 bits, which notices damage. `node:zlib` has a CRC, but would add three megabytes to each runner.
 */

export function hashText(text: string): number {
  let hash = offsetBasis;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), prime);
  return hash >>> 0;
}

export function hashBytes(bytes: Uint8Array): number {
  let hash = offsetBasis;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return hash >>> 0;
}

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;
