import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBack } from "../../app/back.ts";
import { OnlyHere } from "../../components/only-here.tsx";
import { Page } from "../../components/page.tsx";
import { ChannelForm } from "./channel-form.tsx";

export function NewChannel(): ReactNode {
  const navigate = useNavigate();
  const back = useBack(() => void navigate({ to: "/channels", replace: true }));
  return (
    <Page title="New channel" above={<Link to="/channels">Channels</Link>}>
      <OnlyHere what="Creating a channel" does="creates channels" command="belfry channel add NAME">
        <ChannelForm
          onDone={(id) => navigate({ to: "/channels/$channelId", params: { channelId: id }, replace: true })}
          onCancel={back}
        />
      </OnlyHere>
    </Page>
  );
}
