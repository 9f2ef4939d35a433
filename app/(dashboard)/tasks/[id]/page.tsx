import { type RecordProps, recordMetadata } from "../../record-metadata.ts";
import { viewRecordPage } from "../../view-record-page.tsx";

export const generateMetadata = (props: RecordProps) => recordMetadata("task", props);

export default function TaskPage(props: RecordProps) {
  return viewRecordPage("task", props);
}
