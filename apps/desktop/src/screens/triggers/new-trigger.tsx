import type { TriggerSecret } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ChangeForm } from "../../components/change-form.tsx";
import { TextField } from "../../components/fields.tsx";
import { Page } from "../../components/page.tsx";
import { NotAllowed } from "../../components/states.tsx";
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
      <Page title={made.trigger.name} above={<Link to="/triggers">Triggers</Link>}>
        <SecretShown
          secret={made}
          onClose={() => void navigate({ to: "/triggers/$triggerId", params: { triggerId: made.trigger.id } })}
        />
      </Page>
    );
  return (
    <Page title="New trigger" above={<Link to="/triggers">Triggers</Link>}>
      {capability !== null && !may("manage") ? (
        <NotAllowed needs="manage" what="Creating a trigger" />
      ) : (
        <div className="max-w-xl">
          <ChangeForm
            change={create}
            act="Create the trigger"
            isComplete={name.trim() !== "" && taskId !== ""}
            fields={["name", "target_task_id"]}
            onCancel={() => void navigate({ to: "/triggers" })}
          >
            <TextField
              label="Name"
              required
              value={name}
              onChange={(event) => setName(event.target.value)}
              error={fieldError(error, "name")}
              hint="Who or what will use the key, for example: Deploy from CI."
            />
            <TaskPicker label="Task" value={taskId} onChange={setTaskId} error={fieldError(error, "target_task_id")} />
          </ChangeForm>
        </div>
      )}
    </Page>
  );
}
