import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { Shown } from "../../components/states.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { NotificationForm } from "./notification-form.tsx";

const idOf = ({ channel_id }: { readonly channel_id: string }): string => channel_id;

/** Which channels are notified of which outcomes, and who says so. */
export function Notifications({ taskId }: { readonly taskId: string }): ReactNode {
  const { client } = useSession();
  const { may } = useGrant();
  const read = useRead(
    ["notifications", taskId],
    (signal) => client.notificationAssignments.effective(taskId, { signal }),
    { kinds: ["notification_assignment", "notification_channel", "task", "group"] },
  );
  const channels = useRead(
    ["channels", "names"],
    (signal) => client.notificationChannels.list({ limit: 500 }, { signal }),
    { kinds: ["notification_channel"] },
  );
  const steady = useSteadyRows(read.data?.assignments ?? null, { idOf, question: taskId });
  const [isOpen, setIsOpen] = useState(false);
  useKeys([may("manage") ? { text: "Change the notifications", act: () => setIsOpen(true) } : null]);
  return (
    <Section title="Notifications" act={may("manage") && <Button onClick={() => setIsOpen(true)}>Change</Button>}>
      <Shown read={read}>
        {({ source, assignments }) => (
          <>
            <Rows
              steady={steady}
              idOf={idOf}
              empty={<p className="text-muted">Nobody is notified when this task ends.</p>}
              rowClassName="flex h-8 items-center gap-4 border-b"
            >
              {({ channel_id: id, on_success: onSuccess, on_failure: onFailure }, isGone) => (
                <>
                  <Link to="/deliveries" search={{ channel: id, task: taskId }}>
                    {channels.data?.notification_channels.find((channel) => channel.id === id)?.name ?? "A channel"}
                  </Link>
                  <span className="text-muted">
                    {isGone ? "no longer" : onSuccess && onFailure ? "every end" : onFailure ? "failures" : "successes"}
                  </span>
                </>
              )}
            </Rows>
            {source !== null && assignments.length > 0 && (
              <p className="text-muted">
                {source.scope === "task" ? "Set for this task." : `From the group ${source.name}.`}
              </p>
            )}
          </>
        )}
      </Shown>
      <Dialog title="Notifications of this task" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        {isOpen && <NotificationForm taskId={taskId} onDone={() => setIsOpen(false)} />}
      </Dialog>
    </Section>
  );
}
