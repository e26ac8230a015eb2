import type { BrowserPage, PageChannel } from "./browser-page.ts";

/** Other tabs answer at once, if there are any. */
const answerMs = 500;

type Message = { readonly kind: "ask" } | { readonly kind: "session"; readonly session: string };

/**
 * Asks the other tabs of this origin for their session, for a tab that a person opened from one of them. Only pages of
 * `belfry ui` have this origin, and what a daemon sends is never one.
 */
export async function askForSession(page: BrowserPage): Promise<string | null> {
  const channel = open(page);
  const answered = Promise.withResolvers<string | null>();
  channel.addEventListener("message", ({ data }) => {
    const message = read(data);
    if (message?.kind === "session") answered.resolve(message.session);
  });
  const timer = setTimeout(() => answered.resolve(null), answerMs);
  send(channel, { kind: "ask" });
  try {
    return await answered.promise;
  } finally {
    clearTimeout(timer);
    channel.close();
  }
}

/** Answers tabs that ask. Returns a function that stops it. */
export function shareSession(page: BrowserPage, session: string): () => void {
  const channel = open(page);
  channel.addEventListener("message", ({ data }) => {
    if (read(data)?.kind === "ask") send(channel, { kind: "session", session });
  });
  return () => channel.close();
}

function open({ location, openChannel }: BrowserPage): PageChannel {
  return openChannel(`belfry-session ${location.origin}`);
}

function send(channel: PageChannel, message: Message): void {
  channel.postMessage(message);
}

function read(data: unknown): Message | null {
  if (typeof data !== "object" || data === null || !("kind" in data)) return null;
  if (data.kind === "ask") return { kind: "ask" };
  if (data.kind !== "session" || !("session" in data) || typeof data.session !== "string") return null;
  return { kind: "session", session: data.session };
}
