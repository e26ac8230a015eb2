import { type ReactNode, useState } from "react";
import { EndSession } from "../../app/end-session.tsx";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Facts, Page, Section } from "../../components/page.tsx";
import { ChangeProblem, Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { useChange } from "../../data/change.ts";
import { describeError } from "../../data/errors.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { forgetVisit } from "../../data/visits.ts";
import { ShellError, type ShellProfile } from "../../shell/shell.ts";
import { EnrolForm } from "./enrol-form.tsx";
import { PreferencesForm } from "./preferences-form.tsx";

/** The daemons that these screens can show, and what a person chose about the screens themselves. */
export function Connections(): ReactNode {
  const { shell, profile: shownNow, show } = useSession();
  const { capability, name } = useGrant();
  const read = useRead(["shell", "profiles"], () => shell.profiles(), { kinds: [] });
  const [isEnrolling, setIsEnrolling] = useState(false);
  const [asked, setAsked] = useState<ShellProfile | null>(null);
  // what the shell has selected is shown, also if this page was left in the meantime
  const select = useChange(async (wanted: string) => show((await shell.select(wanted)).name));
  const remove = useChange(
    async ({ name: unwanted }: ShellProfile) => {
      await shell.remove(unwanted);
      if (unwanted === shownNow) show(shell.selected());
      forgetVisit(unwanted);
    },
    () => setAsked(null),
  );
  useKeys([{ text: "Enrol with a daemon", act: () => setIsEnrolling(true) }]);
  return (
    <Page
      title="Connections"
      act={
        <Button look="primary" onClick={() => setIsEnrolling(true)}>
          Enrol with a daemon
        </Button>
      }
    >
      {isEnrolling && (
        <EnrolForm
          onClose={() => setIsEnrolling(false)}
          onUncertain={read.again}
          onEnrolled={(made) => {
            setIsEnrolling(false);
            read.again();
            select.run(made.name);
          }}
        />
      )}
      <ChangeProblem change={select} />
      <Section title="Daemons">
        <Shown read={read}>
          {(profiles) => (
            <ul className="flex flex-col gap-3">
              {profiles.map((profile) => (
                <li key={profile.name} className="flex flex-col gap-2 rounded-sm border p-3">
                  <div className="flex flex-wrap items-center gap-3">
                    <h3>{profile.kind === "local" ? "This machine" : profile.name}</h3>
                    {profile.name === shownNow && <Status kind="success">Shown now</Status>}
                    <div className="ml-auto flex gap-2">
                      {profile.name !== shownNow && !("error" in profile) && (
                        <Button isBusy={select.isPending} onClick={() => select.run(profile.name)}>
                          Show
                        </Button>
                      )}
                      {profile.kind === "remote" && (
                        <Button look="danger" onClick={() => setAsked(profile)}>
                          Remove
                        </Button>
                      )}
                    </div>
                  </div>
                  <ProfileFacts
                    profile={profile}
                    grant={profile.name === shownNow && capability !== null ? `${capability}, as ${name}` : null}
                  />
                </li>
              ))}
            </ul>
          )}
        </Shown>
      </Section>
      <PreferencesForm />
      <EndSession />
      <ConfirmChange
        title={`Remove ${asked?.name ?? ""}?`}
        act="Remove"
        subject={asked}
        change={remove}
        onClose={() => setAsked(null)}
      >
        {() => (
          <p>
            The access token is deleted from this machine. The daemon still accepts it until somebody revokes its
            credential there.
          </p>
        )}
      </ConfirmChange>
    </Page>
  );
}

function ProfileFacts({
  profile,
  grant,
}: {
  readonly profile: ShellProfile;
  readonly grant: string | null;
}): ReactNode {
  if (profile.kind === "local")
    return (
      <Facts
        facts={[
          { name: "Socket", value: <code>{profile.socket}</code> },
          grant === null ? null : { name: "Grant", value: grant },
        ]}
      />
    );
  if ("error" in profile) {
    const { title, text } = describeError(new ShellError(profile.error.message, { code: profile.error.code }));
    return (
      <div className="flex flex-col gap-1">
        <p className="font-medium text-failure">{title}</p>
        <p className="break-words">{text}</p>
      </div>
    );
  }
  return (
    <Facts
      facts={[
        { name: "Addresses", value: profile.addresses.join(", ") },
        { name: "Identity", value: <code>{profile.installation_id}</code> },
        {
          name: profile.trust.kind === "root" ? "Trusted certificate" : "Trusted key",
          value: <code className="break-all">{profile.trust.sha256}</code>,
        },
        { name: "Grant", value: grant ?? profile.capability },
        { name: "Credential", value: <code>{profile.credential_id}</code> },
        {
          name: "Token kept in",
          value: profile.store === "keychain" ? "the keychain" : "a file that only you can read",
        },
      ]}
    />
  );
}
