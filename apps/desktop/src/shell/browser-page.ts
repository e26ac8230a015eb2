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
  /** Calls the listener whenever a person uses the tab. Returns a function that removes it. */
  readonly onUse: (listener: () => void) => () => void;
}

/** Events by which a person uses a tab. A link is opened in another tab by one of them. */
const uses = ["focus", "keydown", "pointerdown"] as const;

/** The window of this page. Only a browser has one. */
export function thisPage(): BrowserPage {
  const page = globalThis as unknown as BrowserPage & {
    readonly BroadcastChannel: new (name: string) => PageChannel;
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
