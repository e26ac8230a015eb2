import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function AgendaPage(): ReactNode {
  return <Page title="AgendaPage">{null}</Page>;
}
