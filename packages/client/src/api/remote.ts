import type { BodyOf, OperationById, Remote } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import { findOutcomeByState, findOutcomeWith } from "../find-outcome.ts";
import type { CallOptions } from "../options.ts";

/** The body of `POST /v1/remote/enable`. */
export type RemoteEnable = BodyOf<OperationById<"remote.enable">>;
/** The body of `POST /v1/remote/renew`. */
export type RemoteRenew = BodyOf<OperationById<"remote.renew">>;

/** The daemon's remote API: its settings, its port and its certificate. Only callers on the daemon's machine have these methods. */
export class RemoteApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the settings and the state of the remote API. `GET /v1/remote` */
  get(options?: CallOptions): ApiPromise<Remote> {
    return this.#caller.call("remote.get", { options });
  }

  /**
   * Enables the remote API, or changes its settings. Absent members keep their configured value. `POST /v1/remote/enable`
   *
   * @throws {@link ConflictError} if the port cannot be opened or the configuration file cannot be changed; nothing changes
   */
  enable(settings: RemoteEnable = {}, options?: CallOptions): ApiPromise<Remote> {
    const findOutcome = () => findOutcomeByState(this.get(), (now) => now.enabled && hasShownSettings(now, settings));
    return this.#caller.call("remote.enable", { body: settings, options, findOutcome });
  }

  /**
   * Disables the remote API and closes its connections. Credentials and the certificate stay. `POST /v1/remote/disable`
   *
   * @throws {@link ConflictError} if the configuration file cannot be changed; nothing changes
   */
  disable(options?: CallOptions): ApiPromise<Remote> {
    const findOutcome = () => findOutcomeByState(this.get(), (now) => !now.enabled);
    return this.#caller.call("remote.disable", { options, findOutcome });
  }

  /**
   * Makes a new certificate, and a new root too if `root` is true: then every client must enrol again. `POST /v1/remote/renew`
   *
   * @throws {@link ConflictError} if the remote API is off, unless `root` is true
   */
  renew(body: RemoteRenew = {}, options?: CallOptions): ApiPromise<Remote> {
    // nothing in an answer says which call made the certificate
    const findOutcome = () => findOutcomeWith(this.get(), () => "unknown");
    return this.#caller.call("remote.renew", { body, options, findOutcome });
  }
}

/** Whether the settings that an answer shows have the values of the call. */
function hasShownSettings(now: Remote, { host, port, advertise }: RemoteEnable): boolean {
  return (
    (host === undefined || now.host === host) &&
    (port === undefined || now.port === port) &&
    (advertise === undefined || JSON.stringify(now.advertise) === JSON.stringify(advertise))
  );
}
