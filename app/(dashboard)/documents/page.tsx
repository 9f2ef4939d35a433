import type { Metadata } from "next";
import { type ListProps, viewListPage } from "../view-list-page.tsx";

export const metadata: Metadata = { title: "Documents" };

export default function DocumentsPage(props: ListProps) {
  return viewListPage("document", props);
}
