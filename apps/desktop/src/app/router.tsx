import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { Crash, NoSuchPage } from "./crash.tsx";
import { Layout } from "./layout.tsx";
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
  component: lazyRouteComponent(() => import("../screens/now/now.tsx"), "Now"),
});
const tasks = createRoute({
  ...page,
  path: "/tasks",
  validateSearch: (search) => textOf(search, "text", "group", "state", "label"),
  component: lazyRouteComponent(() => import("../screens/tasks/tasks.tsx"), "Tasks"),
});
const newTask = createRoute({
  ...page,
  path: "/tasks/new",
  component: lazyRouteComponent(() => import("../screens/edit/new-task.tsx"), "NewTask"),
});
const task = createRoute({
  ...page,
  path: "/tasks/$taskId",
  validateSearch: (search) => ({ ...textOf(search, "part", "why", "span", "until"), ...yes(search, "table") }),
  component: lazyRouteComponent(() => import("../screens/task/task.tsx"), "TaskPage"),
});
const editTask = createRoute({
  ...page,
  path: "/tasks/$taskId/edit",
  component: lazyRouteComponent(() => import("../screens/edit/edit-task.tsx"), "EditTask"),
});
const runs = createRoute({
  ...page,
  path: "/runs",
  validateSearch: (search) => textOf(search, "state", "task"),
  component: lazyRouteComponent(() => import("../screens/runs/runs.tsx"), "RunsPage"),
});
const run = createRoute({
  ...page,
  path: "/runs/$runId",
  validateSearch: (search) => textOf(search, "attempt", "line", "find"),
  component: lazyRouteComponent(() => import("../screens/run/run.tsx"), "RunPage"),
});
const agenda = createRoute({
  ...page,
  path: "/agenda",
  validateSearch: (search) => textOf(search, "from", "days", "zone", "task", "group"),
  component: lazyRouteComponent(() => import("../screens/agenda/agenda.tsx"), "AgendaPage"),
});
const importPage = createRoute({
  ...page,
  path: "/import",
  component: lazyRouteComponent(() => import("../screens/import/import.tsx"), "ImportPage"),
});
const triggers = createRoute({
  ...page,
  path: "/triggers",
  validateSearch: (search) => textOf(search, "text", "task"),
  component: lazyRouteComponent(() => import("../screens/triggers/triggers.tsx"), "Triggers"),
});
const newTrigger = createRoute({
  ...page,
  path: "/triggers/new",
  validateSearch: (search) => textOf(search, "task"),
  component: lazyRouteComponent(() => import("../screens/triggers/new-trigger.tsx"), "NewTrigger"),
});
const trigger = createRoute({
  ...page,
  path: "/triggers/$triggerId",
  component: lazyRouteComponent(() => import("../screens/triggers/trigger.tsx"), "TriggerPage"),
});
const editTrigger = createRoute({
  ...page,
  path: "/triggers/$triggerId/edit",
  component: lazyRouteComponent(() => import("../screens/triggers/edit-trigger.tsx"), "EditTrigger"),
});
const watchers = createRoute({
  ...page,
  path: "/watchers",
  validateSearch: (search) => textOf(search, "task"),
  component: lazyRouteComponent(() => import("../screens/watchers/watchers.tsx"), "Watchers"),
});
const newWatcher = createRoute({
  ...page,
  path: "/watchers/new",
  validateSearch: (search) => textOf(search, "task"),
  component: lazyRouteComponent(() => import("../screens/watchers/new-watcher.tsx"), "NewWatcher"),
});
const watcher = createRoute({
  ...page,
  path: "/watchers/$watcherId",
  component: lazyRouteComponent(() => import("../screens/watchers/watcher.tsx"), "WatcherPage"),
});
const editWatcher = createRoute({
  ...page,
  path: "/watchers/$watcherId/edit",
  component: lazyRouteComponent(() => import("../screens/watchers/edit-watcher.tsx"), "EditWatcher"),
});
const channels = createRoute({
  ...page,
  path: "/channels",
  component: lazyRouteComponent(() => import("../screens/channels/channels.tsx"), "Channels"),
});
const newChannel = createRoute({
  ...page,
  path: "/channels/new",
  component: lazyRouteComponent(() => import("../screens/channels/new-channel.tsx"), "NewChannel"),
});
const channel = createRoute({
  ...page,
  path: "/channels/$channelId",
  component: lazyRouteComponent(() => import("../screens/channels/channel.tsx"), "ChannelPage"),
});
const editChannel = createRoute({
  ...page,
  path: "/channels/$channelId/edit",
  component: lazyRouteComponent(() => import("../screens/channels/edit-channel.tsx"), "EditChannel"),
});
const deliveries = createRoute({
  ...page,
  path: "/deliveries",
  validateSearch: (search) => textOf(search, "state", "channel", "task", "run"),
  component: lazyRouteComponent(() => import("../screens/deliveries/deliveries.tsx"), "Deliveries"),
});
const delivery = createRoute({
  ...page,
  path: "/deliveries/$deliveryId",
  component: lazyRouteComponent(() => import("../screens/deliveries/delivery.tsx"), "DeliveryPage"),
});
const access = createRoute({
  ...page,
  path: "/access",
  component: lazyRouteComponent(() => import("../screens/access/access.tsx"), "Access"),
});
const actor = createRoute({
  ...page,
  path: "/access/$actorId",
  component: lazyRouteComponent(() => import("../screens/access/actor.tsx"), "ActorPage"),
});
const audit = createRoute({
  ...page,
  path: "/audit",
  validateSearch: (search) => textOf(search, "actor", "operation", "outcome", "from", "until", "event", "at"),
  component: lazyRouteComponent(() => import("../screens/audit/audit.tsx"), "Audit"),
});
const connections = createRoute({
  ...page,
  path: "/connections",
  component: lazyRouteComponent(() => import("../screens/connections/connections.tsx"), "Connections"),
});
const specimen = createRoute({
  ...page,
  path: "/specimen",
  component: lazyRouteComponent(() => import("../screens/specimen/specimen.tsx"), "Specimen"),
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
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createScreens>;
  }
}
