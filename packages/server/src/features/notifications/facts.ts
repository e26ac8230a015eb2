import type { DeliveryState, NotificationScope } from "@belfry/contract";

export type NotificationFact =
  | { readonly name: "channel.created"; readonly channelId: string }
  | { readonly name: "channel.updated"; readonly channelId: string; readonly changed: readonly string[] }
  | { readonly name: "channel.deleted"; readonly channelId: string }
  /** Its first delivery failed, or one succeeded again. */
  | { readonly name: "channel.health_turned"; readonly channelId: string }
  | {
      readonly name: "assignments.replaced";
      readonly scope: NotificationScope;
      readonly scopeId: string;
      readonly changed: readonly string[];
    }
  | DeliveryFact;

export interface DeliveryEnded {
  readonly name: "delivery.ended";
  readonly deliveryId: string;
  readonly channelId: string;
  readonly state: DeliveryState;
}

export type DeliveryFact =
  | { readonly name: "delivery.queued"; readonly deliveryId: string; readonly channelId: string }
  /** Claimed, or waiting for its next attempt. */
  | { readonly name: "delivery.updated"; readonly deliveryId: string; readonly channelId: string }
  | DeliveryEnded
  | { readonly name: "delivery.deleted"; readonly deliveryId: string; readonly channelId: string };
