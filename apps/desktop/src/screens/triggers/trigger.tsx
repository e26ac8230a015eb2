import type { TriggerSecret } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Facts, Page } from "../../components/page.tsx";
import { ChangeProblem, Shown } from "../../components/states.tsx";
import { StartedRuns } from "../../components/started-runs.tsx";
import { Status } from "../../components/status.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import { FullTime, Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useTrigger } from "../../data/resources.ts";
import { useSession } from "../../data/session.tsx";
import { useLeaveGuard } from "../edit/leave-guard.ts";
import { newKey, SecretShown } from "./secret-shown.tsx";
import { describeTrigger } from "./trigger-words.ts";

const route = getRouteApi("/triggers/$triggerId");
type Asked = "reveal" | "rotate" | "delete" | "fire";

/** One trigger: its key behind a confirmation, and what it started last. */
export function TriggerPage(): ReactNode {
  const { triggerId } = route.useParams();
  const { client } = useSession();
  const navigate = useNavigate();
  const { may, mayHere } = useGrant();
  const read = useTrigger(triggerId);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [secret, setSecret] = useState<TriggerSecret | null>(null);
  const [isNewKey, setIsNewKey] = useState(false);
  const guard = useLeaveGuard(secret !== null && isNewKey, newKey);
  const trigger = read.data;
  const change = useChange(
    async (act: Asked): Promise<TriggerSecret | string | null> => {
      if (act === "reveal") return client.triggers.reveal(triggerId);
      if (act === "rotate") return client.triggers.rotate(triggerId, { ifMatch: trigger!.revision });
      if (act === "fire") return (await client.triggers.fire((await client.triggers.reveal(triggerId)).key)).run_id;
      await client.triggers.delete(triggerId, { ifMatch: trigger!.revision });
      return null;
    },
    (result, act) => {
      setAsked(null);
      if (act === "delete") guard.leave(() => void navigate({ to: "/triggers", replace: true }));
      else if (typeof result === "string") void navigate({ to: "/runs/$runId", params: { runId: result } });
      else {
        setSecret(result);
        setIsNewKey(act === "rotate");
      }
    },
  );
  const turn = useChange((enabled: boolean) =>
    enabled ? client.triggers.enable(triggerId) : client.triggers.disable(triggerId),
  );
  const state = trigger === null ? null : describeTrigger(trigger);
  const ask = (act: Asked) => () => {
    change.reset();
    setAsked(act);
  };
  const mayManage = mayHere("manage") && trigger !== null;
  const edit = (): void => void navigate({ to: "/triggers/$triggerId/edit", params: { triggerId } });
  useKeys(mayManage ? [{ text: "Show the key", act: ask("reveal") }] : []);
  return (
    <Page
      title={trigger?.name ?? "Trigger"}
      above={<Link to="/triggers">Triggers</Link>}
      status={state !== null && <Status kind={state.kind}>{state.word}</Status>}
      act={mayManage && <Button onClick={ask("reveal")}>Show the key</Button>}
      more={
        trigger !== null && (
          <MoreMenu
            acts={[
              mayHere("manage") ? { label: "Edit", onSelect: edit, keys: "e" } : null,
              mayHere("manage") ? { label: "Fire now", onSelect: ask("fire") } : null,
              mayHere("manage") ? { label: "Rotate the key", onSelect: ask("rotate") } : null,
              may("operate")
                ? {
                    label: trigger.enabled ? "Disable" : "Enable",
                    isAtOnce: true,
                    onSelect: () => turn.run(!trigger.enabled),
                  }
                : null,
              mayHere("manage") ? { label: "Delete", onSelect: ask("delete"), isDanger: true } : null,
            ]}
          />
        )
      }
    >
      {secret !== null && <SecretShown secret={secret} onClose={() => setSecret(null)} />}
      <ChangeProblem change={turn} />
      <Shown read={read}>
        {(found) => (
          <>
            <Facts
              facts={[
                { name: "Task", value: <TaskLink id={found.target_task_id} name={found.target_task_name} /> },
                { name: "State", value: describeTrigger(found).text },
                found.set_name === undefined
                  ? null
                  : { name: "Set", value: `${found.set_name}, position ${found.set_position}` },
                { name: "Key", value: <code>{found.key_prefix}…</code> },
                { name: "Fired", value: found.fire_count.toLocaleString("en") },
                { name: "Last fired", value: <Time at={found.last_fired_at} empty="never" /> },
                { name: "Created", value: <FullTime at={found.created_at} /> },
              ]}
            />
            <StartedRuns
              taskId={found.target_task_id}
              trigger="external_trigger"
              starterId={found.id}
              starterOf={(run) => run.source_trigger_id}
              what="trigger"
            />
          </>
        )}
      </Shown>
      {trigger !== null && (
        <ConfirmChange
          title={titles(trigger.name)[asked ?? "reveal"]}
          act={acts[asked ?? "reveal"]}
          isDanger={asked === "rotate" || asked === "delete"}
          {...(asked === "delete" ? { nameToType: trigger.name } : {})}
          subject={asked}
          change={change}
          onClose={() => setAsked(null)}
        >
          {(act) => <p>{texts(trigger.name, trigger.target_task_name)[act]}</p>}
        </ConfirmChange>
      )}
    </Page>
  );
}

const titles = (name: string) =>
  ({
    reveal: `Show the key of ${name}?`,
    rotate: `Rotate the key of ${name}?`,
    delete: `Delete the trigger ${name}?`,
    fire: `Fire the trigger ${name}?`,
  }) as const;
const acts = { reveal: "Show", rotate: "Rotate", delete: "Delete", fire: "Fire" } as const;
const texts = (name: string, task: string) =>
  ({
    reveal: `Whoever sees the key of ${name} can run ${task}. The audit trail records that you saw it.`,
    rotate: `${name} gets a new key. The former key stops working immediately, wherever it is in use.`,
    delete: `The key of ${name} stops working immediately. Its runs stay in the history.`,
    fire: `${task} runs now, as if somebody had used the key of ${name}. The audit trail records both.`,
  }) as const;
