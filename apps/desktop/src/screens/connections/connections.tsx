import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Connections(): ReactNode {
  return <Page title="Connections">{null}</Page>;
}
