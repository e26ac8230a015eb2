import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBack } from "../../app/back.ts";
import { OnlyHere } from "../../components/only-here.tsx";
import { Page } from "../../components/page.tsx";
import { Shown } from "../../components/states.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { WatcherForm } from "./watcher-form.tsx";

const route = getRouteApi("/watchers/$watcherId/edit");

export function EditWatcher(): ReactNode {
  const { watcherId } = route.useParams();
  const navigate = useNavigate();
  const back = useBack(() => void navigate({ to: "/watchers/$watcherId", params: { watcherId }, replace: true }));
  const { client } = useSession();
  const read = useRead(["watcher", watcherId, "edit"], (signal) => client.watchers.get(watcherId, { signal }), {
    kinds: ["filesystem_watcher", "task"],
    // a form that began with a former state would take the person's own changes for somebody else's
    keptMs: 0,
  });
  const name = read.data?.name;
  return (
    <Page
      title={name === undefined ? "Edit a watcher" : `Edit ${name}`}
      above={
        <Link to="/watchers/$watcherId" params={{ watcherId }}>
          {name ?? "Watcher"}
        </Link>
      }
    >
      <OnlyHere what="Editing a watcher" does="changes watchers" command="belfry watcher edit WATCHER --directory PATH">
        <Shown read={read}>
          {(watcher) => <WatcherForm key={watcher.id} watcher={watcher} onDone={back} onCancel={back} />}
        </Shown>
      </OnlyHere>
    </Page>
  );
}
