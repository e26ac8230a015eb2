import type { TestApplication } from "./application.ts";
import type { Json } from "./harness.ts";

const mark = (what: string): string => `planted-${what}-5Wd8Rk`;

/** A process id that no system has. */
const pid = 987_654_321;

/** Only a daemon that runs as root accepts another user. */
const otherUser = process.getuid?.() === 0 ? [mark("user")] : [];

/** What callers below Manage must not see. */
export const markersForManage = [
  mark("program"),
  mark("argument"),
  mark("directory"),
  "PLANTED_OF_TASK",
  "PLANTED_OF_GROUP",
  mark("host"),
  mark("reason"),
  String(pid),
  ...otherUser,
];
/** What remote callers must not see. */
export const markersForLocal = [mark("path"), mark("pattern")];

const command = { kind: "exec", program: "true", arguments: [mark("program"), mark("argument")] };
const ofGroup = { environment: { PLANTED_OF_GROUP: "1" } };
const ofTask = {
  run_as: otherUser[0] ?? null,
  working_directory: `/${mark("directory")}`,
  environment: { PLANTED_OF_TASK: "1" },
};
const ofWatcher = { path: `/missing/${mark("path")}`, pattern: `${mark("pattern")}*` };

/** Adds a marker to every member of a new definition that not every caller sees. */
function withMarkers(path: string, body: Json): Json {
  switch (path) {
    case "/v1/groups":
      return { ...body, ...ofGroup };
    case "/v1/tasks":
      return { ...body, ...ofTask, command: body.command == null ? body.command : command };
    case "/v1/filesystem-watchers":
      return { ...body, ...ofWatcher };
    case "/v1/import":
      return {
        ...body,
        groups: body.groups?.map((group: Json) => ({ ...group, ...ofGroup })),
        tasks: body.tasks?.map((task: Json) => ({ ...task, ...ofTask, command })),
      };
    default:
      return body;
  }
}

/** The application, with markers in all that its calls create. */
export function plantingIn(app: TestApplication): TestApplication {
  return {
    ...app,
    call: (method, path, body, headers) => {
      const isDefinition = method === "POST" && typeof body === "object" && body !== null;
      return app.call(method, path, isDefinition ? withMarkers(path, body) : body, headers);
    },
  };
}

/** Puts markers into the columns of runs that only the daemon writes. */
export function plantInRuns({ sqlite }: Pick<TestApplication, "sqlite">): void {
  sqlite.exec(
    `UPDATE runs SET host = '${mark("host")}', pid = ${pid}, reason_text = coalesce(reason_text, '') || '; ${mark("reason")}'
     WHERE host IS NOT '${mark("host")}'`,
  );
}
