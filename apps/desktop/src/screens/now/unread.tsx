import type { ReactNode } from "react";
import { ListState } from "../../components/list-state.tsx";
import { Section } from "../../components/page.tsx";
import { Stale } from "../../components/states.tsx";
import { isConnectionError } from "../../data/errors.ts";
import type { Read } from "../../data/read.ts";

export interface UnreadProps {
  readonly read: Read<unknown>;
  /** What could not be read, where no heading says it. */
  readonly title?: string;
}

/** Says that a list could not be read: nothing else would, where the list is left out while it is empty. */
export function Unread({ read, title }: UnreadProps): ReactNode {
  const { data, error } = read;
  // of an outage, the line above the page says from when everything is that was known before
  if (error === null || (data !== null && isConnectionError(error))) return null;
  const text = data === null ? <ListState read={read} empty="" /> : <Stale read={read} />;
  return title === undefined ? text : <Section title={title}>{text}</Section>;
}
