import { type RecordProps, recordMetadata } from "../../record-metadata.ts";
import { viewRecordPage } from "../../view-record-page.tsx";

export const generateMetadata = (props: RecordProps) => recordMetadata("run", props);

export default function RunPage(props: RecordProps) {
  return viewRecordPage("run", props);
}
