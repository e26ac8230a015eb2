import { createHandOver } from "../handing/hand-over.ts";
import { failureText } from "./failure-text.ts";
import type { ToObserver } from "./messages.ts";
import { createObserver, type ObserverParts } from "./observer.ts";

export interface ServeParts extends ObserverParts {
  readonly runsFolder: string;
}

export type ServedObserver = ReturnType<typeof serveObserver>;

/** An observer that takes messages, as a thread or a process does. */
export function serveObserver(parts: ServeParts) {
  const { runsFolder, post } = parts;
  const observer = createObserver(parts);
  const handOver = createHandOver({
    folder: runsFolder,
    hash: observer.hash,
    watchedOf: (id) => observer.watchers.get(id),
    rescan: observer.rescan,
    post,
  });

  return {
    observer,
    stop: observer.stop,
    take: (message: ToObserver): void => {
      try {
        handle(message);
      } catch (error) {
        post({ is: "failure", watcherId: message.watcherId, failure: failureText(error) });
      }
    },
  };

  function handle(message: ToObserver): void {
    const { watcherId } = message;
    switch (message.is) {
      case "observe":
        return observer.observe(message.watcher, message.startedAt);
      case "timings":
        return observer.setTimings(message.watcher);
      case "leave":
        observer.leave(watcherId, { isForgotten: message.isForgotten });
        return post({ is: "left", watcherId });
      case "rescan":
        return observer.rescan(watcherId);
      case "free":
        return handOver.offerAgain(watcherId);
      case "prepare":
        return void handOver.prepare(message, message);
      case "handed":
        return handOver.commit(message.runId);
      case "refused":
        return handOver.discard(message.runId);
      case "ended":
        return handOver.end(message, message);
    }
  }
}
