import type { Group } from "@belfry/client";
import type { ReactNode } from "react";
import { DraftForm } from "../../components/draft-form.tsx";
import { SelectField } from "../../components/fields.tsx";
import { NameField } from "../../components/name-field.tsx";
import { useChange } from "../../data/change.ts";
import { useDraft } from "../../data/draft.ts";
import { fieldError } from "../../data/errors.ts";
import { useSession } from "../../data/session.tsx";
import { groupPath } from "./group-path.ts";

const fields = ["name", "parent_id"];

export interface GroupFormProps {
  /** The group to rename, as it is now. Null for a new one. */
  readonly group: Group | null;
  readonly groups: readonly Group[];
  readonly onDone: (made: Group) => void;
  readonly onCancel: () => void;
}

/** A new group, or another name for one. */
export function GroupForm({ group, groups, onDone, onCancel }: GroupFormProps): ReactNode {
  const { client } = useSession();
  const draft = useDraft(group, (stored) => ({ name: stored?.name ?? "", parentId: "" }));
  const { base, form, set } = draft;
  const name = form.name.trim();
  const save = useChange(
    () =>
      base === null
        ? client.groups.create({ name, ...(form.parentId === "" ? {} : { parent_id: form.parentId }) })
        : client.groups.update(base.id, { name }, { ifMatch: base.revision }),
    onDone,
  );
  const error = save.state.is === "failed" ? save.state.error : null;
  return (
    <DraftForm
      draft={draft}
      what="group"
      describe={(stored) => ({ Name: stored.name })}
      change={save}
      isComplete={name !== ""}
      fields={fields}
      onCancel={onCancel}
    >
      <NameField value={form.name} onChange={(typed) => set({ name: typed })} error={error} />
      {base === null && groups.length > 0 && (
        <SelectField
          label="Parent group (optional)"
          value={form.parentId}
          onChange={(event) => set({ parentId: event.target.value })}
          error={fieldError(error, "parent_id")}
          hint="The new group inherits the time zone, the variables and the notifications of its parent."
        >
          <option value="">No parent group</option>
          {groups.map(({ id }) => (
            <option key={id} value={id}>
              {groupPath(id, groups)}
            </option>
          ))}
        </SelectField>
      )}
    </DraftForm>
  );
}
