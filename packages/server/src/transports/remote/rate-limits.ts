import type { RemoteLimits } from "../../kernel/config/remote-config.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createTokenBuckets, type Rate } from "../shared/token-buckets.ts";

export type RateLimits = ReturnType<typeof createRateLimits>;

/** The limits of requests. Each function takes one request; it returns whether the request may continue. */
export function createRateLimits(clock: Pick<Clock, "monotonicMs">, limits: () => RemoteLimits) {
  const enrollments = createTokenBuckets(clock);
  const publicRequests = createTokenBuckets(clock);
  const actors = createTokenBuckets(clock);
  return {
    enrollment: (address: string): boolean => enrollments.take(address, perMinute(limits().enrollmentsPerMinute)),
    /** A public request, a request with a failed access token, or one for an unknown path. */
    unauthenticated: (address: string): boolean =>
      publicRequests.take(address, perMinute(limits().publicRequestsPerMinute)),
    ofActor: (actorId: string): boolean => {
      const { requestsPerSecond, requestsBurst } = limits();
      return actors.take(actorId, { perSecond: requestsPerSecond, burst: requestsBurst });
    },
  };
}

function perMinute(requests: number): Rate {
  return { perSecond: requests / 60, burst: requests };
}
