import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function RunPage(): ReactNode {
  return <Page title="RunPage">{null}</Page>;
}
