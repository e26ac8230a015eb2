import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Deliveries(): ReactNode {
  return <Page title="Deliveries">{null}</Page>;
}
