import { createHashHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { Crash, NoSuchPage } from "./crash.tsx";
import { Layout } from "./layout.tsx";
import { lazyPage } from "./lazy-page.tsx";
import { textOf, yes } from "./search.ts";

const root = createRootRoute({ component: Layout, notFoundComponent: NoSuchPage });
const page = { getParentRoute: () => root } as const;

const now = createRoute({
  ...page,
  path: "/",
  validateSearch: (search) => ({
    ...textOf(search, "span", "until", "text", "state", "label"),
    ...yes(search, "table"),
  }),
  component: lazyPage(() => import("../screens/now/now.tsx"), "Now"),
});
const tasks = createRoute({
  ...page,
  path: "/tasks",
  validateSearch: (search) => textOf(search, "text", "group", "state", "label"),
  component: lazyPage(() => import("../screens/tasks/tasks.tsx"), "Tasks"),
});
const newTask = createRoute({
  ...page,
  path: "/tasks/new",
  component: lazyPage(() => import("../screens/edit/new-task.tsx"), "NewTask"),
});
const task = createRoute({
  ...page,
  path: "/tasks/$taskId",
  validateSearch: (search) => ({ ...textOf(search, "part", "why", "span", "until"), ...yes(search, "table") }),
  component: lazyPage(() => import("../screens/task/task.tsx"), "TaskPage"),
});
const editTask = createRoute({
  ...page,
  path: "/tasks/$taskId/edit",
  component: lazyPage(() => import("../screens/edit/edit-task.tsx"), "EditTask"),
});
const runs = createRoute({
  ...page,
  path: "/runs",
  validateSearch: (search) => textOf(search, "state", "task"),
  component: lazyPage(() => import("../screens/runs/runs.tsx"), "RunsPage"),
});
const run = createRoute({
  ...page,
  path: "/runs/$runId",
  validateSearch: (search) => textOf(search, "attempt", "line", "find"),
  component: lazyPage(() => import("../screens/run/run.tsx"), "RunPage"),
});
const agenda = createRoute({
  ...page,
  path: "/agenda",
  validateSearch: (search) => textOf(search, "from", "days", "zone", "task", "group"),
  component: lazyPage(() => import("../screens/agenda/agenda.tsx"), "AgendaPage"),
});
const importPage = createRoute({
  ...page,
  path: "/import",
  component: lazyPage(() => import("../screens/import/import.tsx"), "ImportPage"),
});
const triggers = createRoute({
  ...page,
  path: "/triggers",
  validateSearch: (search) => textOf(search, "text", "task"),
  component: lazyPage(() => import("../screens/triggers/triggers.tsx"), "Triggers"),
});
const newTrigger = createRoute({
  ...page,
  path: "/triggers/new",
  validateSearch: (search) => textOf(search, "task"),
  component: lazyPage(() => import("../screens/triggers/new-trigger.tsx"), "NewTrigger"),
});
const trigger = createRoute({
  ...page,
  path: "/triggers/$triggerId",
  component: lazyPage(() => import("../screens/triggers/trigger.tsx"), "TriggerPage"),
});
const editTrigger = createRoute({
  ...page,
  path: "/triggers/$triggerId/edit",
  component: lazyPage(() => import("../screens/triggers/edit-trigger.tsx"), "EditTrigger"),
});
const watchers = createRoute({
  ...page,
  path: "/watchers",
  validateSearch: (search) => textOf(search, "task"),
  component: lazyPage(() => import("../screens/watchers/watchers.tsx"), "Watchers"),
});
const newWatcher = createRoute({
  ...page,
  path: "/watchers/new",
  validateSearch: (search) => textOf(search, "task"),
  component: lazyPage(() => import("../screens/watchers/new-watcher.tsx"), "NewWatcher"),
});
const watcher = createRoute({
  ...page,
  path: "/watchers/$watcherId",
  component: lazyPage(() => import("../screens/watchers/watcher.tsx"), "WatcherPage"),
});
const editWatcher = createRoute({
  ...page,
  path: "/watchers/$watcherId/edit",
  component: lazyPage(() => import("../screens/watchers/edit-watcher.tsx"), "EditWatcher"),
});
const channels = createRoute({
  ...page,
  path: "/channels",
  component: lazyPage(() => import("../screens/channels/channels.tsx"), "Channels"),
});
const newChannel = createRoute({
  ...page,
  path: "/channels/new",
  component: lazyPage(() => import("../screens/channels/new-channel.tsx"), "NewChannel"),
});
const channel = createRoute({
  ...page,
  path: "/channels/$channelId",
  component: lazyPage(() => import("../screens/channels/channel.tsx"), "ChannelPage"),
});
const editChannel = createRoute({
  ...page,
  path: "/channels/$channelId/edit",
  component: lazyPage(() => import("../screens/channels/edit-channel.tsx"), "EditChannel"),
});
const deliveries = createRoute({
  ...page,
  path: "/deliveries",
  validateSearch: (search) => textOf(search, "state", "channel", "task", "run"),
  component: lazyPage(() => import("../screens/deliveries/deliveries.tsx"), "Deliveries"),
});
const delivery = createRoute({
  ...page,
  path: "/deliveries/$deliveryId",
  component: lazyPage(() => import("../screens/deliveries/delivery.tsx"), "DeliveryPage"),
});
const access = createRoute({
  ...page,
  path: "/access",
  component: lazyPage(() => import("../screens/access/access.tsx"), "Access"),
});
const actor = createRoute({
  ...page,
  path: "/access/$actorId",
  component: lazyPage(() => import("../screens/access/actor.tsx"), "ActorPage"),
});
const audit = createRoute({
  ...page,
  path: "/audit",
  validateSearch: (search) => textOf(search, "actor", "operation", "outcome", "from", "until", "event", "at"),
  component: lazyPage(() => import("../screens/audit/audit.tsx"), "Audit"),
});
const connections = createRoute({
  ...page,
  path: "/connections",
  component: lazyPage(() => import("../screens/connections/connections.tsx"), "Connections"),
});
const specimen = createRoute({
  ...page,
  path: "/specimen",
  component: lazyPage(() => import("../screens/specimen/specimen.tsx"), "Specimen"),
});

const routeTree = root.addChildren([
  now,
  tasks,
  newTask,
  task,
  editTask,
  runs,
  run,
  agenda,
  importPage,
  triggers,
  newTrigger,
  trigger,
  editTrigger,
  watchers,
  newWatcher,
  watcher,
  editWatcher,
  channels,
  newChannel,
  channel,
  editChannel,
  deliveries,
  delivery,
  access,
  actor,
  audit,
  connections,
  specimen,
]);

/** Pages and their addresses. The page stands in the fragment, so that the server serves one page only. */
export function createScreens() {
  return createRouter({
    routeTree,
    history: createHashHistory(),
    defaultErrorComponent: Crash,
    defaultPreload: "intent",
    // what was opened, asked or revealed for one thing is not for the next one on the same page
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createScreens>;
  }
}
