import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Access(): ReactNode {
  return <Page title="Access">{null}</Page>;
}
