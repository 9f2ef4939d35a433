import { type RecordProps, recordMetadata } from "../../record-metadata.ts";
import { viewRecordPage } from "../../view-record-page.tsx";

export const generateMetadata = (props: RecordProps) => recordMetadata("record", props);

export default function RecordPage(props: RecordProps) {
  return viewRecordPage("record", props);
}
