import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function NewTask(): ReactNode {
  return <Page title="NewTask">{null}</Page>;
}
