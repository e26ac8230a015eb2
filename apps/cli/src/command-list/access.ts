import type { CommandEntry, CommandFamily } from "./entry.ts";

/** Who may call the daemon. */
export const access: readonly (CommandFamily | CommandEntry)[] = [
  {
    name: "actor",
    summary: "manage who may call the daemon, and what each may do",
    subcommands: [
      {
        name: "list",
        summary: "list actors",
        load: () => import("../commands/actor/list.ts"),
      },
      {
        name: "show",
        summary: "show an actor and its credentials",
        load: () => import("../commands/actor/show.ts"),
      },
      {
        name: "add",
        summary: "add an actor",
        load: () => import("../commands/actor/add.ts"),
      },
      {
        name: "edit",
        summary: "change, disable or enable an actor",
        load: () => import("../commands/actor/edit.ts"),
      },
      {
        name: "revoke",
        summary: "revoke an actor and its credentials for good",
        load: () => import("../commands/actor/revoke.ts"),
      },
    ],
  },
  {
    name: "remote",
    summary: "let other machines reach this daemon",
    subcommands: [
      {
        name: "status",
        summary: "show whether other machines can reach this daemon",
        load: () => import("../commands/remote/status.ts"),
      },
      {
        name: "enable",
        summary: "enable the remote API, or change its settings",
        load: () => import("../commands/remote/enable.ts"),
      },
      {
        name: "disable",
        summary: "disable the remote API",
        load: () => import("../commands/remote/disable.ts"),
      },
      {
        name: "renew",
        summary: "make a new certificate",
        load: () => import("../commands/remote/renew.ts"),
      },
    ],
  },
  {
    name: "pair",
    summary: "invite a client on another machine",
    load: () => import("../commands/pair.ts"),
  },
  {
    name: "pairing",
    summary: "list and withdraw invitations",
    subcommands: [
      {
        name: "list",
        summary: "list pairings, and what became of them",
        load: () => import("../commands/pairing/list.ts"),
      },
      {
        name: "delete",
        summary: "delete a pairing, so that its phrase stops working",
        load: () => import("../commands/pairing/delete.ts"),
      },
    ],
  },
  {
    name: "credential",
    summary: "list and revoke the credentials of actors",
    subcommands: [
      {
        name: "list",
        summary: "list the credentials of an actor",
        load: () => import("../commands/credential/list.ts"),
      },
      {
        name: "revoke",
        summary: "revoke a credential for good",
        load: () => import("../commands/credential/revoke.ts"),
      },
    ],
  },
];
