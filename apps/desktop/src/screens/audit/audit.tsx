import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Audit(): ReactNode {
  return <Page title="Audit">{null}</Page>;
}
