import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { ChangeProblem, Shown } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { DeliveryFacts } from "./delivery-facts.tsx";
import { DeliveryStatus } from "./delivery-status.tsx";

const route = getRouteApi("/deliveries/$deliveryId");

/** One webhook: what was sent, and what its receiver answered. */
export function DeliveryPage(): ReactNode {
  const { deliveryId } = route.useParams();
  const { client } = useSession();
  const navigate = useNavigate();
  const { may } = useGrant();
  const read = useRead(
    ["delivery", deliveryId],
    (signal) => client.notificationDeliveries.get(deliveryId, { signal }),
    { kinds: ["notification_delivery"] },
  );
  const delivery = read.data;
  const redeliver = useChange(
    () => client.notificationDeliveries.redeliver(deliveryId),
    ({ id }) => void navigate({ to: "/deliveries/$deliveryId", params: { deliveryId: id } }),
  );
  const isEnded = delivery !== null && delivery.ended_at !== null;
  const mayResend = may("operate") && isEnded;
  useKeys([
    mayResend && !redeliver.mayBeDone ? { text: "Send again", isAtOnce: true, act: () => redeliver.run() } : null,
  ]);
  return (
    <Page
      title={delivery === null ? "Delivery" : `Delivery to ${delivery.channel_name}`}
      above={<Link to="/deliveries">Deliveries</Link>}
      status={delivery !== null && <DeliveryStatus delivery={delivery} />}
      act={
        mayResend && (
          <Button
            look="primary"
            isBusy={redeliver.isPending}
            disabled={redeliver.mayBeDone}
            onClick={() => redeliver.run()}
          >
            Send again
          </Button>
        )
      }
    >
      <ChangeProblem change={redeliver} />
      <Shown read={read}>{(found) => <DeliveryFacts delivery={found} />}</Shown>
    </Page>
  );
}
