import type { Capability } from "../../data/grant.ts";

/** What each capability allows. Each includes those before it. */
export const capabilityWords: Readonly<Record<Capability, string>> = {
  observe: "read everything",
  operate: "read everything, and run tasks",
  manage: "read everything, run tasks, and create and change them",
  enroll: "do everything, and manage who has access",
};
