import type { BodyOf, Manifest, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import { findOutcomeWith, findOutcomeByPatch } from "../find-outcome.ts";
import type { CallOptions, ChangeOptions } from "../options.ts";

/** The body of `PATCH /v1/manifest`. */
export type ManifestPatch = BodyOf<OperationById<"manifest.update">>;

/** The daemon's identity. */
export class ManifestApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the daemon's identity, versions and capabilities. `GET /v1/manifest` */
  get(options?: CallOptions): ApiPromise<Manifest> {
    return this.#caller.call("manifest.get", { options });
  }

  /**
   * Changes the daemon's display name. `PATCH /v1/manifest`
   *
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(patch: ManifestPatch, options?: ChangeOptions): ApiPromise<Manifest> {
    const findOutcome = () => findOutcomeByPatch(this.get(), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("manifest.update", { body: patch, options, findOutcome });
  }

  /**
   * Gives the installation a new identity. `installationId` must be the current one. Revokes every credential. `POST /v1/manifest/reset`
   *
   * @throws {@link ConflictError} if `installationId` is not the current one; nothing changes
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  reset(installationId: string, options?: ChangeOptions): ApiPromise<Manifest> {
    // a different identity proves nothing: it may have differed before, and then the daemon rejected the reset
    const findOutcome = () =>
      findOutcomeWith(this.get(), (now) =>
        now.installation_id === installationId || now.revision === options?.ifMatch ? "not_committed" : "unknown",
      );
    return this.#caller.call("manifest.reset", {
      body: { confirm_installation_id: installationId },
      options,
      findOutcome,
    });
  }
}
