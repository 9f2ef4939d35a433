import type { Metadata } from "next";
import { type ListProps, viewListPage } from "../view-list-page.tsx";

export const metadata: Metadata = { title: "Other records" };

export default function RecordsPage(props: ListProps) {
  return viewListPage("record", props);
}
