import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function TriggerPage(): ReactNode {
  return <Page title="TriggerPage">{null}</Page>;
}
