import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function TaskPage(): ReactNode {
  return <Page title="TaskPage">{null}</Page>;
}
