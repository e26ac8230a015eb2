/** The names that the page and `belfry ui` agree on. `apps/cli/src/ui/names.ts` has the same. */

export const sessionHeader = "Belfry-Session";
export const profileHeader = "Belfry-Profile";
/** In an answer that `belfry ui` made itself: the code of the error. */
export const errorHeader = "Belfry-Shell-Error";
export const apiPath = "/api";
export const tokenFragment = "token";

/** Keys of the tab's storage. */
export const sessionKey = "belfry-session";
export const profileKey = "belfry-profile";
export const keptKey = "belfry-kept";
