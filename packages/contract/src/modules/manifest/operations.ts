import { z } from "zod";
import { patchOf } from "../../core/list.ts";
import { defineOperation, everywhere, localOnly } from "../../core/operation.ts";
import { writes } from "../../core/written-resource.ts";
import { Name, orNull, Revision } from "../../core/scalars.ts";

export const Manifest = z
  .object({
    installation_id: z.string().meta({ description: "The identity of this installation; it changes only by a reset" }),
    display_name: Name,
    product_version: z.string(),
    protocol_versions: z.object({ local: z.string(), remote: orNull(z.string()) }).meta({
      description:
        "The versions of the local API and of a remote API that differs from it. The remote API is the local one, so `remote` is null even while it is enabled",
    }),
    operating_mode: z.enum(["local_only"]).meta({
      description:
        "`local_only` in this version: the daemon is part of no cluster. Whether its remote API is enabled is a capability: `remote_api_v1`",
    }),
    capabilities: z
      .array(z.string())
      .meta({ description: "The features of this daemon, sorted; check them before you use a newer feature" }),
    platform: z.object({ os: z.string(), arch: z.string(), runtime: z.string() }),
    revision: Revision,
  })
  .meta({ id: "Manifest" });
export type Manifest = z.output<typeof Manifest>;

export const ManifestPatch = writes(Manifest, patchOf({ display_name: Name.optional() }).meta({ id: "ManifestPatch" }));
export const ManifestReset = z
  .strictObject({ confirm_installation_id: z.string().min(1).max(200) })
  .meta({ id: "ManifestReset" });

export const manifestOperations = [
  defineOperation({
    id: "manifest.get",
    method: "get",
    path: "/manifest",
    summary: "Get the identity, versions and capabilities of the daemon",
    kind: "read",
    capability: "observe",
    transports: everywhere,
    isPublic: true,
    audited: false,
    resource: "manifest",
    response: { kind: "json", status: 200, schema: Manifest },
    errors: [],
  }),
  defineOperation({
    id: "manifest.update",
    method: "patch",
    path: "/manifest",
    summary: "Rename the daemon",
    kind: "write",
    capability: "enroll",
    transports: localOnly,
    audited: true,
    resource: "manifest",
    body: ManifestPatch,
    response: { kind: "json", status: 200, schema: Manifest },
    errors: [],
    conditional: true,
    example: { display_name: "Build machine" },
  }),
  defineOperation({
    id: "manifest.reset",
    method: "post",
    path: "/manifest/reset",
    summary: "Give the installation a new identity",
    description:
      "`confirm_installation_id` must be the current `installation_id`; otherwise the call is rejected with 409. Also revokes every credential, because a cloned machine must not share them.",
    kind: "write",
    capability: "enroll",
    transports: localOnly,
    audited: true,
    resource: "manifest",
    body: ManifestReset,
    response: { kind: "json", status: 200, schema: Manifest },
    errors: ["conflict"],
    conditional: true,
    example: { confirm_installation_id: "ins_4fzH1TqWb8YkV0c2LxNd" },
  }),
] as const;
