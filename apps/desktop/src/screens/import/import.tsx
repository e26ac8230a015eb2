import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function ImportPage(): ReactNode {
  return <Page title="ImportPage">{null}</Page>;
}
