import type { Metadata } from "next";
import { type ListProps, viewListPage } from "../view-list-page.tsx";

export const metadata: Metadata = { title: "Tasks" };

export default function TasksPage(props: ListProps) {
  return viewListPage("task", props);
}
