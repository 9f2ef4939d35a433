import { type RecordProps, recordMetadata, viewRecordPage } from "../../view-pages.tsx";

export const generateMetadata = (props: RecordProps) => recordMetadata("task", props);

export default function TaskPage(props: RecordProps) {
  return viewRecordPage("task", props);
}
