import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function ActorPage(): ReactNode {
  return <Page title="ActorPage">{null}</Page>;
}
