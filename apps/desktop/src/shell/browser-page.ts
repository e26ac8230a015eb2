import type { Visibility } from "./pausing-stream.ts";

/** Messages between the tabs of one origin. */
export interface PageChannel {
  readonly addEventListener: (type: "message", listener: (event: { readonly data: unknown }) => void) => void;
  readonly postMessage: (data: unknown) => void;
  readonly close: () => void;
}

/** What the browser's shell uses of its window. Tests in Node give it their own. */
export interface BrowserPage extends Visibility {
  readonly location: {
    readonly origin: string;
    readonly pathname: string;
    readonly search: string;
    readonly hash: string;
  };
  readonly history: { readonly replaceState: (data: unknown, unused: string, url: string) => void };
  readonly sessionStorage: {
    readonly getItem: (name: string) => string | null;
    readonly setItem: (name: string, value: string) => void;
    readonly removeItem: (name: string) => void;
  };
  readonly fetch: (input: string | Request, init?: RequestInit) => Promise<Response>;
  readonly open: (address: string, target: string, features: string) => unknown;
  readonly openChannel: (name: string) => PageChannel;
  /** Holds a name, which several tabs may hold, until the tab ends. Returns a function that releases it. */
  readonly hold: (name: string) => () => void;
  /** How many tabs of this origin hold the name. */
  readonly countHolders: (name: string) => Promise<number>;
  /** Calls the listener whenever a person uses the tab. Returns a function that removes it. */
  readonly onUse: (listener: () => void) => () => void;
}

interface Locks {
  readonly request: (name: string, how: { readonly mode: "shared" }, held: () => Promise<void>) => Promise<void>;
  readonly query: () => Promise<{ readonly held?: readonly { readonly name?: string }[] }>;
}

/** How the tabs of one browser see who of them is there. */
export function heldNames({ locks }: { readonly locks: Locks }): Pick<BrowserPage, "hold" | "countHolders"> {
  return {
    hold: (name) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      void locks.request(name, { mode: "shared" }, () => promise);
      return resolve;
    },
    countHolders: async (name) => ((await locks.query()).held ?? []).filter((lock) => lock.name === name).length,
  };
}

/** Events by which a person uses a tab. A link is opened in another tab by one of them. */
const uses = ["focus", "keydown", "pointerdown"] as const;

/** The window of this page. Only a browser has one. */
export function thisPage(): BrowserPage {
  const page = globalThis as unknown as BrowserPage & {
    readonly BroadcastChannel: new (name: string) => PageChannel;
    readonly navigator: { readonly locks: Locks };
    readonly addEventListener: (type: string, listener: () => void, capture: boolean) => void;
    readonly removeEventListener: (type: string, listener: () => void, capture: boolean) => void;
    readonly document: {
      readonly hidden: boolean;
      readonly addEventListener: (type: "visibilitychange", listener: () => void) => void;
      readonly removeEventListener: (type: "visibilitychange", listener: () => void) => void;
    };
  };
  return {
    location: page.location,
    history: page.history,
    sessionStorage: page.sessionStorage,
    // a browser refuses a fetch without its window
    fetch: (input, init) => page.fetch(input, init),
    open: (address, target, features) => page.open(address, target, features),
    openChannel: (name) => new page.BroadcastChannel(name),
    ...heldNames(page.navigator),
    onUse: (listener) => {
      // the focus of the window alone; keys and pointers also where the page stops them
      for (const type of uses) page.addEventListener(type, listener, type !== "focus");
      return () => {
        for (const type of uses) page.removeEventListener(type, listener, type !== "focus");
      };
    },
    isHidden: () => page.document.hidden,
    onVisibility: (listener) => {
      page.document.addEventListener("visibilitychange", listener);
      return () => page.document.removeEventListener("visibilitychange", listener);
    },
  };
}
