import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Channels(): ReactNode {
  return <Page title="Channels">{null}</Page>;
}
