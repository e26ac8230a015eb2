import type { DeliveryState } from "@belfry/contract";

export interface DeliveryEnded {
  readonly name: "delivery.ended";
  readonly deliveryId: string;
  readonly channelId: string;
  readonly state: DeliveryState;
  readonly erases: true;
}

export type DeliveryFact =
  | { readonly name: "delivery.queued"; readonly deliveryId: string; readonly channelId: string }
  /** The delivery was claimed, or waits for its next attempt. */
  | { readonly name: "delivery.updated"; readonly deliveryId: string; readonly channelId: string }
  | DeliveryEnded
  | { readonly name: "delivery.deleted"; readonly deliveryId: string; readonly channelId: string };
