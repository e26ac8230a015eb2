import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBack } from "../../app/back.ts";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { StartedRuns } from "../../components/started-runs.tsx";
import { Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { useGrant } from "../../data/grant.ts";
import { useWatcher } from "../../data/resources.ts";
import { useWatcherActs } from "./watcher-acts.tsx";
import { WatcherFacts } from "./watcher-facts.tsx";
import { describeWatcher } from "./watcher-words.ts";

const route = getRouteApi("/watchers/$watcherId");

/** One watcher: what it observes, whether it does, and what it started last. */
export function WatcherPage(): ReactNode {
  const { watcherId } = route.useParams();
  const navigate = useNavigate();
  const { mayHere } = useGrant();
  const read = useWatcher(watcherId);
  const watcher = read.data;
  const { actsOf, problem, confirmation } = useWatcherActs(
    useBack(() => void navigate({ to: "/watchers", replace: true })),
  );
  const isEditable = watcher !== null && mayHere("manage");
  const edit = (): void => void navigate({ to: "/watchers/$watcherId/edit", params: { watcherId } });
  useKeys(isEditable ? [{ key: "e", text: "Edit the watcher", act: edit }] : []);
  const state = watcher === null ? null : describeWatcher(watcher);
  return (
    <Page
      title={watcher?.name ?? "Watcher"}
      above={<Link to="/watchers">Watchers</Link>}
      status={state !== null && <Status kind={state.kind}>{state.word}</Status>}
      act={isEditable && <Button onClick={edit}>Edit</Button>}
      more={watcher !== null && <MoreMenu acts={actsOf(watcher)} />}
    >
      {problem}
      <Shown read={read}>
        {(found) => (
          <>
            <WatcherFacts watcher={found} />
            <StartedRuns
              taskId={found.target_task_id}
              trigger="filesystem_watcher"
              starterId={found.id}
              starterOf={({ source_watcher_id }) => source_watcher_id}
              what="watcher"
            />
          </>
        )}
      </Shown>
      {confirmation}
    </Page>
  );
}
