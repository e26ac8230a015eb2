import type { Trigger } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBack } from "../../app/back.ts";
import { OnlyHere } from "../../components/only-here.tsx";
import { Page } from "../../components/page.tsx";
import { Shown } from "../../components/states.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { EditTriggerForm } from "./edit-trigger-form.tsx";

const route = getRouteApi("/triggers/$triggerId/edit");

export function EditTrigger(): ReactNode {
  const { triggerId } = route.useParams();
  const navigate = useNavigate();
  const back = useBack(() => void navigate({ to: "/triggers/$triggerId", params: { triggerId }, replace: true }));
  const { client } = useSession();
  const read = useRead<Trigger>(
    ["trigger", triggerId, "edit"],
    (signal) => client.triggers.get(triggerId, { signal }),
    // a form that began with a former state would take the person's own changes for somebody else's
    { kinds: ["trigger", "task"], keptMs: 0 },
  );
  const name = read.data?.name;
  return (
    <Page
      title={name === undefined ? "Edit a trigger" : `Edit ${name}`}
      above={
        <Link to="/triggers/$triggerId" params={{ triggerId }}>
          {name ?? "Trigger"}
        </Link>
      }
    >
      <OnlyHere what="Editing a trigger" does="changes triggers" command="belfry trigger edit TRIGGER --name NAME">
        <Shown read={read}>{(trigger) => <EditTriggerForm key={trigger.id} trigger={trigger} onDone={back} />}</Shown>
      </OnlyHere>
    </Page>
  );
}
