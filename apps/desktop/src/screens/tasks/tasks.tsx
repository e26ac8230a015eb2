import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Tasks(): ReactNode {
  return <Page title="Tasks">{null}</Page>;
}
