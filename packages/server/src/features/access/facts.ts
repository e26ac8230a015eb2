export type AccessFact =
  | { readonly name: "actor.created"; readonly actorId: string }
  | { readonly name: "actor.updated"; readonly actorId: string; readonly changed: readonly string[] }
  /** The actor was revoked or disabled, or has a lower capability: its open streams are closed. */
  | { readonly name: "actor.restricted"; readonly actorId: string }
  | { readonly name: "credential.issued"; readonly credentialId: string; readonly actorId: string }
  | {
      readonly name: "credential.revoked";
      readonly credentialId: string;
      readonly actorId: string;
      /** Empty if another change revoked the credential too: the audit row names the members of what was addressed. */
      readonly changed: readonly string[];
    };
