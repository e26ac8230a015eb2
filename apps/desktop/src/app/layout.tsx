import { Outlet, useNavigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { moveFocus, rowsIn } from "../components/row-focus.ts";
import { usePreferences } from "../data/preferences.ts";
import { useSession } from "../data/session.tsx";
import { rememberVisit } from "../data/visits.ts";
import { ConnectionLine } from "./connection-line.tsx";
import { floating, keepFocus } from "./keep-focus.ts";
import { KeyList } from "./key-list.tsx";
import { listenForKeys, useKeysEverywhere } from "./keys.ts";
import { Palette } from "./palette.tsx";
import { placeAbove, places } from "./places.ts";
import { Rail } from "./rail.tsx";

/** What is around every page. */
export function Layout(): ReactNode {
  const [open, setOpen] = useState<"palette" | "keys" | null>(null);
  const navigate = useNavigate();
  const router = useRouter();
  const { theme } = usePreferences();
  const { profile } = useSession();
  useEffect(() => listenForKeys(), []);
  useEffect(() => keepFocus(), []);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  useEffect(() => {
    const leave = (): void => rememberVisit(profile);
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [profile]);
  // a new page begins at its heading, also for a screen reader
  useEffect(
    () =>
      router.subscribe("onResolved", ({ pathChanged, fromLocation }) => {
        // somebody may have opened the search while the page was read
        if (pathChanged && fromLocation !== undefined && document.querySelector(floating) === null)
          document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
      }),
    [router],
  );
  const back = (): void => {
    const { history, latestLocation } = router;
    if (history.canGoBack()) history.back();
    else void navigate({ to: placeAbove(latestLocation.pathname) });
  };
  const hasRows = (): boolean => rowsIn(content()).length > 0;
  const openPalette = (): void => setOpen("palette");
  useKeysEverywhere([
    { key: "Ctrl K", text: "Search for anything", act: openPalette },
    { key: "?", text: "Show the keys", act: () => setOpen("keys") },
    { key: "/", text: "Search for anything", act: openPalette },
    {
      key: "/",
      text: "Search on this page",
      act: () => searchField()?.focus(),
      works: () => searchField() !== undefined,
    },
    { key: "j", text: "Next row", act: () => moveFocus(content(), 1), works: hasRows },
    { key: "k", text: "Previous row", act: () => moveFocus(content(), -1), works: hasRows },
    {
      key: "Escape",
      text: "Back",
      act: back,
      works: () => router.latestLocation.pathname !== "/" || router.history.canGoBack(),
    },
    ...places.map(({ keys, name, to }) => ({ key: keys, text: name, act: () => void navigate({ to }) })),
  ]);
  return (
    <div className="min-h-screen md:flex">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed! focus:top-2 focus:left-2 focus:z-50 focus:rounded-sm focus:bg-raised focus:px-2! focus:py-1!"
        onClick={skipToContent}
      >
        Skip to the content
      </a>
      <Rail onSearch={() => setOpen("palette")} onKeys={() => setOpen("keys")} />
      <main id="content" tabIndex={-1} className="min-w-0 flex-1">
        <ConnectionLine />
        <Outlet />
      </main>
      <Palette isOpen={open === "palette"} onClose={() => setOpen(null)} />
      <KeyList isOpen={open === "keys"} onClose={() => setOpen(null)} />
    </div>
  );
}

const content = (): HTMLElement | null => document.getElementById("content");

function searchField(): HTMLElement | undefined {
  const found = [...(content()?.querySelectorAll<HTMLElement>("input[type=search]") ?? [])];
  return found.find((field) => field.getClientRects().length > 0);
}

/** The address names a page, so the jump is done here. */
function skipToContent(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}
