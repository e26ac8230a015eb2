import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ListState } from "../../components/list-state.tsx";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { Time } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { nameOfTask } from "../deliveries/delivery-facts.tsx";
import { DeliveryStatus } from "../deliveries/delivery-status.tsx";

/** The newest deliveries of a channel. */
export function LastDeliveries({ channelId }: { readonly channelId: string }): ReactNode {
  const { client } = useSession();
  const read = useRead(
    ["deliveries", "of channel", channelId],
    (signal) => client.notificationDeliveries.list({ channel_id: channelId, limit: 10 }, { signal }),
    { kinds: ["notification_delivery"] },
  );
  const steady = useSteadyRows(read.data?.notification_deliveries ?? null, {
    idOf,
    question: channelId,
    isCut: read.data?.next_cursor !== null,
  });
  return (
    <Section
      title="Last deliveries"
      act={
        <Link to="/deliveries" search={{ channel: channelId }} className="link">
          All deliveries
        </Link>
      }
    >
      <Rows
        steady={steady}
        idOf={idOf}
        empty={<ListState read={read} empty="The history has no delivery to this channel." />}
        rowClassName="flex h-8 items-center gap-3 border-b"
      >
        {(delivery) => (
          <>
            <DeliveryStatus delivery={delivery} />
            <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery.id }} className="min-w-0 truncate">
              {delivery.event}
              {nameOfTask(delivery.payload) !== null && ` · ${nameOfTask(delivery.payload)}`}
            </Link>
            <span className="ml-auto">
              <Time at={delivery.created_at} />
            </span>
          </>
        )}
      </Rows>
    </Section>
  );
}

const idOf = ({ id }: { readonly id: string }): string => id;
