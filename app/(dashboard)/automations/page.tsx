import type { Metadata } from "next";
import { type ListProps, viewListPage } from "../view-list-page.tsx";

export const metadata: Metadata = { title: "Automations" };

export default function AutomationsPage(props: ListProps) {
  return viewListPage("automation", props);
}
