import type { Actor } from "@belfry/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { SelectField } from "../../components/fields.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Facts, Page } from "../../components/page.tsx";
import { ChangeProblem, Shown } from "../../components/states.tsx";
import { FullTime, Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { type Capability, useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { capabilityWords } from "./capability-words.ts";
import { ActorStatus } from "./actor-status.tsx";
import { Credentials } from "./credentials.tsx";

const route = getRouteApi("/access/$actorId");

/** One actor: what it may do, and the credentials with which it calls. */
export function ActorPage(): ReactNode {
  const { actorId } = route.useParams();
  const { client } = useSession();
  const { may } = useGrant();
  const read = useRead(["actor", actorId], (signal) => client.actors.get(actorId, { signal }), { kinds: ["actor"] });
  const [isAsked, setIsAsked] = useState(false);
  const [wanted, setWanted] = useState<Capability | null>(null);
  const actor = read.data;
  const isChangeable = actor !== null && !actor.built_in && actor.state !== "revoked" && may("enroll");
  const revoke = useChange(
    ({ id, revision }: Actor) => client.actors.revoke(id, { ifMatch: revision }),
    () => setIsAsked(false),
  );
  const update = useChange((patch: { readonly state: "active" | "disabled" }) =>
    client.actors.update(actorId, patch, { ifMatch: actor!.revision }),
  );
  const regrant = useChange(
    (capability: Capability) => client.actors.update(actorId, { capability }, { ifMatch: actor!.revision }),
    () => setWanted(null),
  );
  useKeys([isChangeable ? { text: "Revoke", act: () => setIsAsked(true) } : null]);
  return (
    <Page
      title={actor?.name ?? "Actor"}
      above={<Link to="/access">Access</Link>}
      status={actor !== null && <ActorStatus state={actor.state} />}
      act={
        isChangeable && (
          <Button look="danger" onClick={() => setIsAsked(true)}>
            Revoke
          </Button>
        )
      }
      more={
        isChangeable && (
          <MoreMenu
            acts={[
              { label: "Change the capability", onSelect: () => setWanted(actor.capability) },
              {
                label: actor.state === "disabled" ? "Enable" : "Disable",
                isAtOnce: true,
                onSelect: () => update.run({ state: actor.state === "disabled" ? "active" : "disabled" }),
              },
            ]}
          />
        )
      }
    >
      <ChangeProblem change={update} />
      <Shown read={read} needs="enroll">
        {(found) => (
          <>
            <Facts
              facts={[
                { name: "Capability", value: found.capability },
                { name: "Expires", value: found.expires_at === null ? "never" : <FullTime at={found.expires_at} /> },
                { name: "Last seen", value: <Time at={found.last_seen_at} empty="never" /> },
                { name: "Created", value: <FullTime at={found.created_at} /> },
              ]}
            />
            {found.built_in ? (
              <p className="text-muted">This is the user of the daemon&apos;s own socket. It cannot be changed.</p>
            ) : (
              <Credentials actor={found} />
            )}
            <p>
              <Link to="/audit" search={{ actor: found.id }} className="link">
                The audit trail of {found.name}
              </Link>
            </p>
          </>
        )}
      </Shown>
      {actor !== null && (
        <>
          <ConfirmChange
            title={`Revoke ${actor.name}?`}
            act="Revoke"
            nameToType={actor.name}
            subject={isAsked ? actor : null}
            change={revoke}
            onClose={() => setIsAsked(false)}
          >
            {({ name }) => (
              <p>
                All credentials of {name} stop working immediately, and its open connections end. This cannot be undone.
              </p>
            )}
          </ConfirmChange>
          <ConfirmChange
            title={`Change the capability of ${actor.name}?`}
            act="Change"
            isDanger={false}
            isPossible={wanted !== actor.capability}
            subject={wanted}
            change={regrant}
            onClose={() => setWanted(null)}
          >
            {(capability) => (
              <>
                <SelectField
                  label="Capability"
                  value={capability}
                  onChange={(event) => setWanted(event.target.value as Capability)}
                >
                  {Object.keys(capabilityWords).map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </SelectField>
                {capability === actor.capability ? (
                  <p>
                    {actor.name} may {capabilityWords[capability]}.
                  </p>
                ) : (
                  <p>
                    {actor.name} changes from <code>{actor.capability}</code> to <code>{capability}</code>. It may then{" "}
                    {capabilityWords[capability]}.
                  </p>
                )}
              </>
            )}
          </ConfirmChange>
        </>
      )}
    </Page>
  );
}
