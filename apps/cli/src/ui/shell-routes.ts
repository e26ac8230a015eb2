import { capabilities } from "@belfry/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import { hostname } from "node:os";
import { socketPathFor } from "../connect.ts";
import { Failure } from "../failure.ts";
import { enrollProfile } from "../profiles/enroll-profile.ts";
import { localName } from "../profiles/profile-name.ts";
import { listProfileNames, readProfile, removeProfile } from "../profiles/profile-store.ts";
import { version } from "../version.ts";
import { showProfile, showUnreadable } from "../views/profile.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { answerEmpty, answerJson, Refusal } from "./answer.ts";
import { requireSession } from "./check-request.ts";
import type { DaemonLinks, LinkParts } from "./daemon-links.ts";
import { openPreferences, preferenceBytesMax } from "./preferences.ts";
import { invalid, readBody, readJson, readTexts } from "./read-body.ts";
import type { Sessions } from "./sessions.ts";

export interface ShellParts extends LinkParts {
  readonly sessions: Sessions;
  readonly links: DaemonLinks;
}

type Handle = (request: IncomingMessage, response: ServerResponse, name: string) => Promise<void> | void;

interface Route {
  readonly method: string;
  /** Its group is the name at the end of the path. */
  readonly path: RegExp;
  readonly handle: Handle;
}

const textBytesMax = 16 * 1024;
const enrolmentMembers = ["invitation", "phrase", "name", "capability", "credential_name"] as const;

/** The endpoints of the shell itself. Everything except the exchange of a launch token needs a session. */
export function createShellRoutes(
  parts: ShellParts,
): (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void> {
  const { host, links, sessions } = parts;
  const preferences = openPreferences(host);

  const routes: readonly Route[] = [
    {
      method: "GET",
      path: /^\/shell\/about$/,
      handle: (_request, response) => answerJson(response, 200, { version, host: hostname(), selected: parts.initial }),
    },
    {
      method: "DELETE",
      path: /^\/shell\/session$/,
      handle: (request, response) => {
        sessions.end(requireSession(request, sessions).token);
        answerEmpty(response);
      },
    },
    {
      method: "GET",
      path: /^\/shell\/profiles$/,
      handle: async (_request, response) => answerJson(response, 200, { profiles: await listProfiles(parts) }),
    },
    {
      method: "POST",
      path: /^\/shell\/profiles$/,
      handle: async (request, response) => answerJson(response, 201, await enrol(request, parts)),
    },
    {
      method: "POST",
      path: /^\/shell\/profiles\/([^/]+)\/select$/,
      handle: async (request, response, name) => {
        await readBody(request, 0);
        requireSession(request, sessions);
        await links.open(name);
        answerJson(response, 200, name === localName ? localProfile(parts) : shown(await readProfile(name, host)));
      },
    },
    {
      method: "DELETE",
      path: /^\/shell\/profiles\/([^/]+)$/,
      handle: async (_request, response, name) => {
        if (name === localName) throw invalid(null, "the daemon on this machine has no profile to remove");
        const credentialId = await removeProfile(name, host);
        links.forget(name);
        answerJson(response, 200, { profile: name, credential_id: credentialId });
      },
    },
    {
      method: "GET",
      path: /^\/shell\/preferences$/,
      handle: (_request, response) => answerJson(response, 200, { preferences: preferences.all() }),
    },
    {
      method: "PUT",
      path: /^\/shell\/preferences\/([^/]+)$/,
      handle: async (request, response, name) => {
        const value = await readJson(request, preferenceBytesMax);
        requireSession(request, sessions);
        preferences.set(name, value);
        answerEmpty(response);
      },
    },
    {
      method: "DELETE",
      path: /^\/shell\/preferences\/([^/]+)$/,
      handle: (_request, response, name) => {
        preferences.remove(name);
        answerEmpty(response);
      },
    },
  ];

  return async (request, response, path) => {
    if (path === "/shell/session" && request.method === "POST") return exchange(request, response, sessions);
    requireSession(request, sessions);
    const found = routes.filter((route) => route.path.test(path));
    const route = found.find(({ method }) => method === request.method);
    if (route !== undefined) return route.handle(request, response, route.path.exec(path)![1] ?? "");
    throw found.length === 0
      ? new Refusal(404, "not_found", { message: "there is no such endpoint" })
      : new Refusal(405, "method_not_allowed", { message: "the endpoint does not have this method" });
  };
}

async function exchange(request: IncomingMessage, response: ServerResponse, sessions: Sessions): Promise<void> {
  const { token } = await readTexts(request, ["token"], textBytesMax);
  const session = token === undefined ? null : sessions.exchange(token);
  if (session !== null) return answerJson(response, 201, { session });
  throw new Refusal(401, "session_ended", {
    message: "this address has expired, or it was used before",
    hint: "Press Enter in the terminal where belfry ui runs, or start it again",
  });
}

/** One after the other: a locked keychain would ask once for each. */
async function listProfiles(parts: ShellParts): Promise<readonly object[]> {
  const profiles: object[] = [localProfile(parts)];
  for (const name of listProfileNames(parts.host)) {
    try {
      profiles.push(shown(await readProfile(name, parts.host)));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { in_use: _, ...unreadable } = showUnreadable(name, null, error);
      profiles.push({ kind: "remote", ...unreadable });
    }
  }
  return profiles;
}

function localProfile({ location, host }: ShellParts): object {
  return { name: localName, kind: "local", socket: socketPathFor(location, host) };
}

function shown(stored: Parameters<typeof showProfile>[0]): object {
  const { in_use: _, ...profile } = showProfile(stored, null);
  return { kind: "remote", ...profile };
}

async function enrol(request: IncomingMessage, { host, out, sessions, timeoutMs }: ShellParts): Promise<object> {
  const sent = await readTexts(request, enrolmentMembers, textBytesMax);
  requireSession(request, sessions);
  const { invitation, phrase, name, credential_name: credentialName } = sent;
  if (invitation === undefined) throw invalid("invitation", "the invitation is missing");
  if (phrase === undefined || phrase.trim() === "") throw invalid("phrase", "the phrase is missing");
  const capability = capabilities.find((known) => known === sent.capability);
  if (sent.capability !== undefined && capability === undefined)
    throw invalid("capability", `capability must be one of ${capabilities.join(", ")}`);
  const stored = await enrollProfile(
    {
      invitation: invitation.trim(),
      readPhrase: () => Promise.resolve(phrase.trim()),
      ...withoutUndefined({ name, capability, credentialName }),
    },
    { host, out, timeoutMs },
  );
  return shown(stored);
}
