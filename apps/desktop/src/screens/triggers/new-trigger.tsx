import type { TriggerSecret } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/fields.tsx";
import { Page } from "../../components/page.tsx";
import { ChangeProblem, NotAllowed } from "../../components/states.tsx";
import { TaskPicker } from "../../components/task-picker.tsx";
import { useChange } from "../../data/change.ts";
import { fieldError } from "../../data/errors.ts";
import { useGrant } from "../../data/grant.ts";
import { useSession } from "../../data/session.tsx";
import { SecretShown } from "./secret-shown.tsx";

const route = getRouteApi("/triggers/new");

export function NewTrigger(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { may, capability } = useGrant();
  const [name, setName] = useState("");
  const [taskId, setTaskId] = useState(search.task ?? "");
  const [made, setMade] = useState<TriggerSecret | null>(null);
  const create = useChange(() => client.triggers.create({ name: name.trim(), target_task_id: taskId }), setMade);
  const error = create.state.is === "failed" ? create.state.error : null;
  if (made !== null)
    return (
      <Page title={`Trigger ${made.trigger.name}`}>
        <SecretShown
          secret={made}
          onClose={() => void navigate({ to: "/triggers/$triggerId", params: { triggerId: made.trigger.id } })}
        />
      </Page>
    );
  return (
    <Page title="New trigger">
      {capability !== null && !may("manage") ? (
        <NotAllowed needs="manage" what="Creating a trigger" />
      ) : (
        <form
          className="flex max-w-xl flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            create.run();
          }}
        >
          <TextField
            label="Name"
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
            error={fieldError(error, "name")}
            hint="What or who will use the key, for example: deploy from CI."
          />
          <TaskPicker label="Task" value={taskId} onChange={setTaskId} error={fieldError(error, "target_task_id")} />
          <ChangeProblem change={create} fields={["name", "target_task_id"]} />
          <div>
            <Button
              type="submit"
              look="primary"
              isBusy={create.isPending}
              disabled={name.trim() === "" || taskId === ""}
            >
              Create the trigger
            </Button>
          </div>
        </form>
      )}
    </Page>
  );
}
