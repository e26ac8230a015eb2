import type { BrowserPage, PageChannel } from "./browser-page.ts";

/** Other tabs answer at once, unless they are very busy. The one that a person opened this one from may be the busiest. */
const answerMs = 5_000;

/** What a tab tells those that are opened from it. */
export interface SharedSession {
  readonly session: string;
  /** The profile that the tab shows. */
  readonly profile: string;
}

interface Answer extends SharedSession {
  readonly kind: "session";
  /** When a person last used the tab; 0 if nobody has used it yet. */
  readonly usedAt: number;
}

type Message = { readonly kind: "ask" } | Answer;

/**
 * Asks the other tabs of this origin for their session and their profile, for a tab that a person opened from one of them.
 * That is the one that was used last, because a link is followed with a key or a pointer. Only pages of `belfry ui` have
 * this origin, and what a daemon sends is never one.
 */
export async function askForSession(page: BrowserPage): Promise<SharedSession | null> {
  let left = await page.countHolders(nameIn(page));
  if (left === 0) return null;
  const channel = open(page);
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, answerMs);
  let best: Answer | null = null;
  channel.addEventListener("message", ({ data }) => {
    const message = read(data);
    if (message?.kind !== "session") return;
    if (best === null || message.usedAt > best.usedAt) best = message;
    left -= 1;
    if (left === 0) over.resolve();
  });
  send(channel, { kind: "ask" });
  await over.promise;
  clearTimeout(timer);
  channel.close();
  return best;
}

/** Answers tabs that ask with what is shared at that time. Returns a function that stops it. */
export function shareSession(page: BrowserPage, shared: () => SharedSession): () => void {
  const release = page.hold(nameIn(page));
  const channel = open(page);
  // a tab that begins in the background was opened from another one, which may lead to more
  let usedAt = page.isHidden() ? 0 : Date.now();
  const remove = page.onUse(() => (usedAt = Date.now()));
  channel.addEventListener("message", ({ data }) => {
    if (read(data)?.kind !== "ask") return;
    const { session, profile } = shared();
    send(channel, { kind: "session", session, profile, usedAt });
  });
  return () => {
    release();
    remove();
    channel.close();
  };
}

function open(page: BrowserPage): PageChannel {
  return page.openChannel(nameIn(page));
}

function nameIn({ location }: BrowserPage): string {
  return `belfry-session ${location.origin}`;
}

function send(channel: PageChannel, message: Message): void {
  channel.postMessage(message);
}

function read(data: unknown): Message | null {
  if (typeof data !== "object" || data === null || !("kind" in data)) return null;
  if (data.kind === "ask") return { kind: "ask" };
  if (data.kind !== "session" || !("session" in data) || !("profile" in data) || !("usedAt" in data)) return null;
  const { session, profile, usedAt } = data;
  if (typeof session !== "string" || typeof profile !== "string") return null;
  if (typeof usedAt !== "number" || !Number.isFinite(usedAt)) return null;
  return { kind: "session", session, profile, usedAt };
}
