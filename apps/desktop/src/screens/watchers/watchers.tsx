import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Watchers(): ReactNode {
  return <Page title="Watchers">{null}</Page>;
}
