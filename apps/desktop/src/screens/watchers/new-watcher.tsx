import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBack } from "../../app/back.ts";
import { OnlyHere } from "../../components/only-here.tsx";
import { Page } from "../../components/page.tsx";
import { WatcherForm } from "./watcher-form.tsx";

const route = getRouteApi("/watchers/new");

export function NewWatcher(): ReactNode {
  const { task } = route.useSearch();
  const navigate = useNavigate();
  const back = useBack(() => void navigate({ to: "/watchers", replace: true }));
  return (
    <Page title="New watcher" above={<Link to="/watchers">Watchers</Link>}>
      <OnlyHere
        what="Creating a watcher"
        does="creates watchers"
        command="belfry watcher add NAME --task TASK --directory PATH"
      >
        <WatcherForm
          watcher={null}
          taskId={task ?? ""}
          onDone={({ id }) => navigate({ to: "/watchers/$watcherId", params: { watcherId: id }, replace: true })}
          onCancel={back}
        />
      </OnlyHere>
    </Page>
  );
}
