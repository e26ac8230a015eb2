/** Returns facts that are safe to publish: no host name, no address, no account and no path. */
export function platformFacts(): { readonly os: string; readonly arch: string; readonly runtime: string } {
  return { os: process.platform, arch: process.arch, runtime: `node ${process.versions.node}` };
}
