import type { Metadata } from "next";
import { type ListProps, viewListPage } from "../view-list-page.tsx";

export const metadata: Metadata = { title: "Pipelines" };

export default function PipelinesPage(props: ListProps) {
  return viewListPage("pipeline", props);
}
