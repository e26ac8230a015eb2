import type { Manifest } from "@belfry/client";
import { defineCommand } from "../../command.ts";
import { type Detail, renderDetails } from "../../output/details.ts";

export const command = defineCommand({
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
    ["Protocol", `local ${protocol_versions.local}, remote ${protocol_versions.remote ?? "none"}`],
    ["Mode", manifest.operating_mode.replaceAll("_", " ")],
    ["Capabilities", manifest.capabilities.join(", ") || null],
    ["Platform", `${platform.os} ${platform.arch}, ${platform.runtime}`],
  ];
}
