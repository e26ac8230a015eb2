import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { useLate } from "../data/late.ts";
import { useRead } from "../data/read.ts";
import { runWord } from "../data/run-words.ts";
import { useSession } from "../data/session.tsx";
import { places } from "./places.ts";

const item = "flex h-8 items-center justify-between gap-4 rounded-sm px-2 data-[selected=true]:bg-hover";

/** Finds any screen, act, task or run. */
export function Palette({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 rounded-sm border bg-raised shadow-float"
        >
          <Radix.Title className="sr-only">Search</Radix.Title>
          {isOpen && <Search onClose={onClose} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Search({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState("");
  const asked = useLate(text.trim(), 120);
  const navigate = useNavigate();
  const { client } = useSession();
  const tasks = useRead(
    ["palette", "tasks", asked],
    (signal) => client.tasks.list({ limit: 12, ...(asked === "" ? {} : { q: asked }) }, { signal }),
    { kinds: ["task"], keepsFormer: true },
  );
  const isRunId = asked.startsWith("run_");
  const run = useRead(["palette", "run", asked], (signal) => client.runs.get(asked, { signal }), {
    kinds: ["run"],
    isWanted: isRunId,
  });
  const go = (to: string): void => {
    onClose();
    void navigate({ to });
  };
  const acts = [
    { name: "New task", to: "/tasks/new" },
    { name: "New trigger", to: "/triggers/new" },
    { name: "New watcher", to: "/watchers?new=true" },
    { name: "New channel", to: "/channels?new=true" },
    { name: "Import a crontab", to: "/import" },
  ];
  const matches = (name: string): boolean => name.toLowerCase().includes(text.trim().toLowerCase());
  // until the daemon has answered, what is shown is of the former text: Enter must not open it
  const found = (tasks.data?.tasks ?? []).filter(({ name }) => asked === text.trim() || matches(name));
  return (
    <Command label="Search" shouldFilter={false} loop>
      <Command.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder="A task, a run, a screen or an action"
        className="h-10 w-full border-b bg-transparent px-3 outline-none placeholder:text-muted"
      />
      <Command.List className="max-h-[50vh] overflow-auto p-1">
        <Command.Empty className="p-3 text-muted">Nothing has this name.</Command.Empty>
        {isRunId && run.data !== null && (
          <Command.Item value={`run ${asked}`} onSelect={() => go(`/runs/${asked}`)} className={item}>
            {run.data.task_name} <span className="text-muted">{runWord(run.data.state)}</span>
          </Command.Item>
        )}
        {found.map(({ id, name, group_name }) => (
          <Command.Item key={id} value={`task ${id}`} onSelect={() => go(`/tasks/${id}`)} className={item}>
            <span className="truncate">{name}</span>
            <span className="text-small text-muted">{group_name ?? "task"}</span>
          </Command.Item>
        ))}
        {places
          .filter(({ name }) => matches(name))
          .map(({ to, name }) => (
            <Command.Item key={to} value={`screen ${name}`} onSelect={() => go(to)} className={item}>
              {name} <span className="text-small text-muted">screen</span>
            </Command.Item>
          ))}
        {acts
          .filter(({ name }) => matches(name))
          .map(({ to, name }) => (
            <Command.Item key={name} value={`act ${name}`} onSelect={() => go(to)} className={item}>
              {name} <span className="text-small text-muted">action</span>
            </Command.Item>
          ))}
      </Command.List>
    </Command>
  );
}
