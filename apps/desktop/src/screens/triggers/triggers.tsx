import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Triggers(): ReactNode {
  return <Page title="Triggers">{null}</Page>;
}
