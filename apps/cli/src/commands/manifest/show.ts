import type { Manifest } from "@belfry/client";
import { defineCommand } from "../../command.ts";
import { type Detail, renderDetails } from "../../output/details.ts";

const remoteCapability = "remote_api_v1";

export const command = defineCommand({
  details:
    "In --json, `operating_mode` is `local_only` and `protocol_versions.remote` is null for every daemon of this version, also while its remote API is on: it is part of no cluster, and the remote API has the version of the local one. While the remote API is on, `capabilities` contains `remote_api_v1`.",
  examples: [["belfry manifest show", "show the daemon's identity, versions and capabilities"]],
  run: async ({ connect, out }) => {
    const client = await connect();
    const manifest = await client.manifest.get();
    out.answer(manifest, () => renderDetails(detailsOf(manifest)));
  },
});

function detailsOf(manifest: Manifest): readonly Detail[] {
  const { platform, protocol_versions } = manifest;
  return [
    ["Name", manifest.display_name],
    ["Installation", manifest.installation_id],
    ["Version", manifest.product_version],
    ["Protocol", [protocol_versions.local, protocol_versions.remote].filter((version) => version !== null).join(", ")],
    ["Remote API", manifest.capabilities.includes(remoteCapability) ? "on" : "off"],
    ["Mode", `${manifest.operating_mode.replaceAll("_", " ")} (part of no cluster)`],
    ["Capabilities", manifest.capabilities.join(", ") || null],
    ["Platform", `${platform.os} ${platform.arch}, ${platform.runtime}`],
  ];
}
