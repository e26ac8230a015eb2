/** Has the browser keep bytes as a file. */
export function saveBytes(bytes: Uint8Array, name: string): void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
  link.click();
  // the browser has begun to read it by then
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
