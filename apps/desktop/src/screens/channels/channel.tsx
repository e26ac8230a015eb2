import { eventKindsOf } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBack } from "../../app/back.ts";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Facts, Page } from "../../components/page.tsx";
import { Shown } from "../../components/states.tsx";
import { FullTime } from "../../components/time.tsx";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { useChannelActs } from "./channel-acts.tsx";
import { ChannelStatus, secretsOf } from "./channel-status.tsx";
import { LastDeliveries } from "./last-deliveries.tsx";

const route = getRouteApi("/channels/$channelId");

/** One channel: where it sends to, and what its receiver answered last. */
export function ChannelPage(): ReactNode {
  const { channelId } = route.useParams();
  const { client } = useSession();
  const navigate = useNavigate();
  const { may, mayHere } = useGrant();
  const read = useRead(["channel", channelId], (signal) => client.notificationChannels.get(channelId, { signal }), {
    kinds: eventKindsOf("channels"),
  });
  const channel = read.data;
  const back = useBack(() => void navigate({ to: "/channels", replace: true }));
  const { test, actsOf, problem, dialogs } = useChannelActs(back);
  const isEditable = channel !== null && mayHere("manage");
  const edit = (): void => void navigate({ to: "/channels/$channelId/edit", params: { channelId } });
  const mayTest = channel !== null && may("operate") && !test.mayBeDone;
  useKeys([mayTest ? { text: "Send a test", isAtOnce: true, act: () => test.run(channel) } : null]);
  return (
    <Page
      title={channel?.name ?? "Channel"}
      above={<Link to="/channels">Channels</Link>}
      status={channel !== null && <ChannelStatus channel={channel} />}
      act={
        may("operate") &&
        channel !== null && (
          <Button isBusy={test.isPending} disabled={test.mayBeDone} onClick={() => test.run(channel)}>
            Send a test
          </Button>
        )
      }
      more={
        channel !== null && (
          <MoreMenu acts={[isEditable ? { label: "Edit", onSelect: edit, keys: "e" } : null, ...actsOf(channel)]} />
        )
      }
    >
      {problem}
      <Shown read={read}>
        {(found) => (
          <>
            <Facts
              facts={[
                { name: "Endpoint", value: <code>{found.endpoint_summary}</code> },
                { name: "Secrets", value: secretsOf(found) },
                found.failing_since === null
                  ? null
                  : { name: "Failing since", value: <FullTime at={found.failing_since} /> },
                { name: "Created", value: <FullTime at={found.created_at} /> },
              ]}
            />
            <LastDeliveries channelId={found.id} />
          </>
        )}
      </Shown>
      {dialogs}
    </Page>
  );
}
