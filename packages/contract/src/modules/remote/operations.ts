import { defineOperation, localOnly } from "../../core/operation.ts";
import { Remote, RemoteEnable, RemoteRenew } from "./schemas.ts";

const module = { resource: "remote", capability: "enroll", transports: localOnly } as const;
const answer = { kind: "json", status: 200, schema: Remote } as const;
const write = { ...module, kind: "write", method: "post", audited: true, response: answer } as const;

export const remoteOperations = [
  defineOperation({
    ...module,
    id: "remote.get",
    method: "get",
    path: "/remote",
    summary: "Get the settings and the state of the remote API",
    kind: "read",
    audited: false,
    response: answer,
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "remote.enable",
    path: "/remote/enable",
    summary: "Enable the remote API, or change its settings",
    description:
      "Takes effect immediately: the daemon first opens the port and loads the certificate, and then writes the section `[remote]` of its configuration file. If a step fails, everything stays as it was. The first call creates a root and a certificate.",
    body: RemoteEnable,
    bodyOptional: true,
    errors: ["conflict"],
    example: { advertise: ["build.example.org"] },
  }),
  defineOperation({
    ...write,
    id: "remote.renew",
    path: "/remote/renew",
    summary: "Make a new certificate for the remote API",
    description:
      "Open connections continue. Clients notice nothing, unless `root` is true: then each client must enrol again. A configured certificate is read again from its files. While the remote API is off, the call is rejected with 409, unless `root` is true.",
    body: RemoteRenew,
    bodyOptional: true,
    errors: ["conflict"],
    example: { root: false },
  }),
  defineOperation({
    ...write,
    id: "remote.disable",
    path: "/remote/disable",
    summary: "Disable the remote API and close its connections",
    description: "Credentials and the certificate stay, so enabling it again continues where it ended.",
    errors: ["conflict"],
  }),
] as const;
