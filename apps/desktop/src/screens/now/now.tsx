import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Now(): ReactNode {
  return <Page title="Now">{null}</Page>;
}
