import type { CommandEntry, CommandFamily } from "./entry.ts";

/** The daemon's events, imports, audit trail and identity. */
export const administration: readonly (CommandFamily | CommandEntry)[] = [
  { name: "ui", summary: "look at the daemon in a browser", load: () => import("../commands/ui.ts") },
  { name: "events", summary: "print changes as they happen", load: () => import("../commands/events.ts") },
  {
    name: "import",
    summary: "import tasks and schedules from cron",
    subcommands: [
      {
        name: "crontab",
        summary: "import a crontab",
        load: () => import("../commands/import/crontab.ts"),
      },
      {
        name: "show",
        summary: "show what an import created",
        load: () => import("../commands/import/show.ts"),
      },
    ],
  },
  {
    name: "backup",
    summary: "back up the daemon, and restore it",
    subcommands: [
      {
        name: "create",
        summary: "write a consistent copy while the daemon works",
        load: () => import("../commands/backup/create.ts"),
      },
      {
        name: "check",
        summary: "check that a backup can be restored",
        load: () => import("../commands/backup/check.ts"),
      },
      {
        name: "restore",
        summary: "restore a backup into an empty data directory",
        load: () => import("../commands/backup/restore.ts"),
      },
    ],
  },
  {
    name: "audit",
    summary: "see who changed what",
    subcommands: [
      {
        name: "list",
        summary: "list the records of the audit trail, newest first",
        load: () => import("../commands/audit/list.ts"),
      },
      {
        name: "export",
        summary: "export the records of the audit trail as lines of JSON",
        load: () => import("../commands/audit/export.ts"),
      },
      {
        name: "verify",
        summary: "check that no other program changed the audit trail",
        load: () => import("../commands/audit/verify.ts"),
      },
    ],
  },
  {
    name: "manifest",
    summary: "show or change the daemon's identity",
    subcommands: [
      {
        name: "show",
        summary: "show the daemon's identity, versions and capabilities",
        load: () => import("../commands/manifest/show.ts"),
      },
      {
        name: "rename",
        summary: "set the daemon's display name",
        load: () => import("../commands/manifest/rename.ts"),
      },
      {
        name: "reset",
        summary: "give the installation a new identity",
        load: () => import("../commands/manifest/reset.ts"),
      },
    ],
  },
  { name: "doctor", summary: "check the daemon for problems", load: () => import("../commands/doctor.ts") },
  {
    name: "completion",
    summary: "print the completion script of a shell",
    load: () => import("../commands/completion.ts"),
  },
];
