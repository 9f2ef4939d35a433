import { type RecordProps, recordMetadata } from "../../record-metadata.ts";
import { viewRecordPage } from "../../view-record-page.tsx";

export const generateMetadata = (props: RecordProps) => recordMetadata("document", props);

export default function DocumentPage(props: RecordProps) {
  return viewRecordPage("document", props);
}
