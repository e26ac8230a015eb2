/** Safe to publish: no host name, no address, no account, no path. */
export function platformFacts(): { readonly os: string; readonly arch: string; readonly runtime: string } {
  return { os: process.platform, arch: process.arch, runtime: `node ${process.versions.node}` };
}
