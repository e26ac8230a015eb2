import type { NotificationDelivery } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Facts, Section } from "../../components/page.tsx";
import { RunLink } from "../../components/task-link.tsx";
import { sentence } from "../../data/errors.ts";
import { FullTime } from "../../components/time.tsx";

/** What was sent, and what came back. */
export function DeliveryFacts({ delivery }: { readonly delivery: NotificationDelivery }): ReactNode {
  const {
    channel_id,
    channel_name,
    endpoint_summary,
    event,
    attempt_count,
    last_status,
    diagnostic,
    created_at,
    next_attempt_at,
    ended_at,
    run_id,
    redelivery_of,
    payload,
  } = delivery;
  return (
    <>
      <Facts
        facts={[
          {
            name: "Channel",
            value: (
              <Link to="/channels/$channelId" params={{ channelId: channel_id }}>
                {channel_name}
              </Link>
            ),
          },
          { name: "Endpoint", value: <code>{endpoint_summary}</code> },
          { name: "Event", value: event },
          run_id === null
            ? null
            : { name: "Run", value: <RunLink id={run_id}>{nameOfTask(payload) ?? run_id}</RunLink> },
          { name: "Created", value: <FullTime at={created_at} /> },
          { name: "Attempts", value: attempt_count },
          last_status === null ? null : { name: "Last answer", value: `HTTP ${last_status}` },
          diagnostic === null ? null : { name: "Why it failed", value: sentence(diagnostic) },
          next_attempt_at === null ? null : { name: "Next attempt", value: <FullTime at={next_attempt_at} /> },
          ended_at === null ? null : { name: "Ended", value: <FullTime at={ended_at} /> },
          redelivery_of === null
            ? null
            : {
                name: "Repeats",
                value: (
                  <Link to="/deliveries/$deliveryId" params={{ deliveryId: redelivery_of }}>
                    <code>{redelivery_of}</code>
                  </Link>
                ),
              },
        ]}
      />
      <Section title="Payload">
        <pre className="overflow-auto rounded-sm bg-surface p-2" tabIndex={0} aria-label="Payload">
          {JSON.stringify(payload, null, 2)}
        </pre>
      </Section>
    </>
  );
}

/** The task that a notification is about. Null for a test. */
export function nameOfTask(payload: NotificationDelivery["payload"]): string | null {
  return "task" in payload && typeof payload.task === "object" && payload.task !== null ? payload.task.name : null;
}
