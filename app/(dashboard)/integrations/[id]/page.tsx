import { type RecordProps, recordMetadata } from "../../record-metadata.ts";
import { viewRecordPage } from "../../view-record-page.tsx";

export const generateMetadata = (props: RecordProps) => recordMetadata("integration", props);

export default function IntegrationPage(props: RecordProps) {
  return viewRecordPage("integration", props);
}
