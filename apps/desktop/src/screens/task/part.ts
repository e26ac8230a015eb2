import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useIsFirstRead } from "../../data/read.ts";

/** Leads to the section of a page that its address names, once. Until then, `isShown` says whether the page has sections. */
export function usePart(part: string | undefined, isShown: boolean): void {
  const led = useRef<string | null>(null);
  // the heading of the page gets the focus first
  const isArrived = useRouterState({ select: ({ status }) => status === "idle" });
  // what is still unread above the section would move it
  const isReading = useIsFirstRead();
  const isReady = isShown && isArrived && !isReading;
  useEffect(() => {
    if (part === undefined || !isReady || led.current === part) return;
    led.current = part;
    const heading = headingOf(part);
    if (heading === null) return;
    heading.tabIndex = -1;
    // a narrow page has the places above it
    heading.classList.add("scroll-mt-4", "max-md:scroll-mt-16");
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  }, [part, isReady]);
}

function headingOf(part: string): HTMLElement | null {
  const sections = [...document.querySelectorAll("section[aria-label]")];
  const named = sections.find((section) => section.getAttribute("aria-label")?.toLowerCase() === part);
  return named?.querySelector("h2") ?? null;
}
