import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function NewTrigger(): ReactNode {
  return <Page title="NewTrigger">{null}</Page>;
}
