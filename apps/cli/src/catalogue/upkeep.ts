import type { CatalogueEntry, CatalogueRoom } from "./entry.ts";

/** The daemon itself, and what it keeps of changes. */
export const upkeep: readonly (CatalogueRoom | CatalogueEntry)[] = [
  { word: "events", summary: "print changes as they happen", load: () => import("../commands/events.ts") },
  {
    word: "import",
    summary: "bring schedules from elsewhere",
    verbs: [
      {
        word: "crontab",
        summary: "import a crontab, whole or not at all",
        load: () => import("../commands/import/crontab.ts"),
      },
    ],
  },
  {
    word: "audit",
    summary: "who changed what",
    verbs: [
      {
        word: "list",
        summary: "list management operations, newest first",
        load: () => import("../commands/audit/list.ts"),
      },
    ],
  },
  {
    word: "manifest",
    summary: "the daemon's identity",
    verbs: [
      {
        word: "show",
        summary: "show identity, versions and capabilities",
        load: () => import("../commands/manifest/show.ts"),
      },
      {
        word: "rename",
        summary: "give the daemon a display name",
        load: () => import("../commands/manifest/rename.ts"),
      },
      {
        word: "reset",
        summary: "give the installation a new identity",
        load: () => import("../commands/manifest/reset.ts"),
      },
    ],
  },
  { word: "doctor", summary: "look for what is wrong", load: () => import("../commands/doctor.ts") },
];
