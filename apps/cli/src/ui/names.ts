/** The names that the screens and this server agree on. `apps/desktop/src/shell/browser-names.ts` has the same. */

/** The header with the session token. A page of another origin cannot send it without being asked for permission first. */
export const sessionHeader = "Belfry-Session";

/** The header that names the profile of a call, so that no tab calls the daemon that another tab has chosen. */
export const profileHeader = "Belfry-Profile";

/** The header of an answer that this server made itself. Its value is the code of the error. */
export const errorHeader = "Belfry-Shell-Error";

/** The paths of the daemon's API, and of this server's own endpoints. */
export const apiPrefix = "/api/v1/";
export const shellPrefix = "/shell/";

/** The name in the fragment of the address that the browser is opened on. */
export const tokenFragment = "token";

/** The text in index.html that each answer replaces with a new nonce. */
export const noncePlaceholder = "__BELFRY_NONCE__";
