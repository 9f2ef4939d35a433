import { type RecordProps, recordMetadata } from "../../record-metadata.ts";
import { viewRecordPage } from "../../view-record-page.tsx";

export const generateMetadata = (props: RecordProps) => recordMetadata("automation", props);

export default function AutomationPage(props: RecordProps) {
  return viewRecordPage("automation", props);
}
