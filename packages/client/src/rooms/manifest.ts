import type { BodyOf, Manifest, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions, ChangeOptions } from "../options.ts";
import { settleBy, settleByPatch } from "../settle.ts";

export type ManifestPatch = BodyOf<OperationById<"manifest.update">>;

/** Who the daemon is. */
export class ManifestApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Identity, versions and capabilities of the daemon. `GET /v1/manifest` */
  get(options?: CallOptions): ApiPromise<Manifest> {
    return this.#caller.call("manifest.get", { options });
  }

  /**
   * Renames the daemon. `PATCH /v1/manifest`
   *
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  update(patch: ManifestPatch, options?: ChangeOptions): ApiPromise<Manifest> {
    const settle = () => settleByPatch(this.get(), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("manifest.update", { body: patch, options, settle });
  }

  /**
   * Gives the installation a new identity; `installationId` must be the present one. `POST /v1/manifest/reset`
   *
   * @throws {@link ConflictError} where it is not, and nothing changes
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  reset(installationId: string, options?: ChangeOptions): ApiPromise<Manifest> {
    // another identity says nothing: it may have been another before, and then the reset was refused
    const settle = () =>
      settleBy(this.get(), (now) =>
        now.installation_id === installationId || now.revision === options?.ifMatch ? "not_committed" : "unknown",
      );
    return this.#caller.call("manifest.reset", { body: { confirm_installation_id: installationId }, options, settle });
  }
}
