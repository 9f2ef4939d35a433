import type { Metadata } from "next";
import { type ListProps, viewListPage } from "../view-list-page.tsx";

export const metadata: Metadata = { title: "Integrations" };

export default function IntegrationsPage(props: ListProps) {
  return viewListPage("integration", props);
}
