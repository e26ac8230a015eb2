import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";

export function Specimen(): ReactNode {
  return <Page title="Specimen">{null}</Page>;
}
