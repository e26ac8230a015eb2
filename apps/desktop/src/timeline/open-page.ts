import { type NavigateOptions, useRouter } from "@tanstack/react-router";

/** Follows a link that is no element: `inNewTab` says whether the person asked for a tab of its own. */
export function useOpenPage(): (page: NavigateOptions, inNewTab: boolean) => void {
  const router = useRouter();
  return (page, inNewTab) => {
    if (!inNewTab) void router.navigate(page);
    else window.open(router.history.createHref(router.buildLocation(page).href), "_blank", "noopener");
  };
}
