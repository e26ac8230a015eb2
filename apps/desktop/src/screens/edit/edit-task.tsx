import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function EditTask(): ReactNode {
  return <Page title="EditTask">{null}</Page>;
}
