import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { controlCharacters, orNull } from "../../core/scalars.ts";

/** A name as the password database has it: no separator of its lines, and nothing that a tool reads as an option or an id. */
const userName = new RegExp(
  `^([^${controlCharacters}:/0-9 -]|[0-9]+[^${controlCharacters}:/0-9])[^${controlCharacters}:/]*$`,
);

export const RunAs = orNull(
  z
    .string()
    .max(limits.userNameCharactersMax)
    .regex(
      userName,
      "must be the name of a user, not an id: it must not begin with a hyphen, or contain a colon, a slash or control characters",
    )
    .meta({ examples: ["www-data"] }),
).meta({
  description:
    "The user that the task runs as, if it is not the daemon's own user. A daemon that runs as root can start tasks as other users. The daemon's own user is stored as null",
});
