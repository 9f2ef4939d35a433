import type { ViewKind } from "#lib/contracts/views";

/** A kind's name makes the value a link to that kind's page. */
export type FieldForm = "text" | "state" | "time" | "size" | "share" | "duration" | "document" | "pipeline" | "automation";

type FieldLabel = readonly [label: string, form?: FieldForm];

/** Known fields, in display order. */
const FIELD_LABELS: Record<string, FieldLabel> = {
  state: ["State", "state"],
  senderState: ["Sender's word"],
  title: ["Title"],
  name: ["Name"],
  provider: ["Provider"],
  kind: ["Kind"],
  recordId: ["ID"],
  source: ["Source"],
  account: ["Account"],
  organizationId: ["Organization"],
  errorCode: ["Last error code"],
  errorMessage: ["Last error"],
  assignee: ["Assignee"],
  team: ["Team"],
  classification: ["Classification"],
  confidence: ["Confidence", "share"],
  pipelineId: ["Pipeline", "pipeline"],
  stage: ["Stage"],
  stageSince: ["In this stage since", "time"],
  fromStage: ["Previous stage"],
  documentId: ["Document", "document"],
  automationId: ["Automation", "automation"],
  trigger: ["Triggered by"],
  durationMs: ["Duration", "duration"],
  status: ["Platform status"],
  pages: ["Pages"],
  contentType: ["Content type"],
  sizeBytes: ["Size", "size"],
  uploadedAt: ["Uploaded at", "time"],
  processingMs: ["Processing time", "duration"],
  processedAt: ["Processed at", "time"],
  failedAt: ["Failed at", "time"],
  errorAt: ["Failed at", "time"],
  draftAt: ["Drafted at", "time"],
  sentAt: ["Sent at", "time"],
  viewedAt: ["Viewed at", "time"],
  signedAt: ["Signed at", "time"],
  declinedAt: ["Declined at", "time"],
  cancelledAt: ["Cancelled at", "time"],
  expiredAt: ["Expired at", "time"],
  deletedAt: ["Deleted at", "time"],
  createdAt: ["Created at", "time"],
  classifiedAt: ["Classified at", "time"],
  assignedAt: ["Assigned at", "time"],
  completedAt: ["Completed at", "time"],
  firstSeenAt: ["First seen at", "time"],
  lastMovedAt: ["Last moved at", "time"],
  startedAt: ["Started at", "time"],
  endedAt: ["Ended at", "time"],
  lastTriggeredAt: ["Last triggered at", "time"],
  lastCompletedAt: ["Last completed at", "time"],
  lastFailedAt: ["Last failed at", "time"],
  connectedAt: ["Connected at", "time"],
  lastRefreshAt: ["Token refreshed at", "time"],
  expiresAt: ["Token expires at", "time"],
  lastErrorAt: ["Last error at", "time"],
  disconnectedAt: ["Disconnected at", "time"],
  metadata: ["Metadata"],
};

const ORDER = Object.keys(FIELD_LABELS);
/** Prefixes of fields kept under the platform's names, and of a pipeline's stages, which its board shows. */
const REST = "data.";
const STAGE = "stage:";

export type FieldGroups = { known: string[]; rest: string[] };

export function groupFields(fields: string[]): FieldGroups {
  const shown = fields.filter((field) => !field.startsWith(STAGE));
  const place = (field: string) => (ORDER.includes(field) ? ORDER.indexOf(field) : ORDER.length);
  return {
    known: shown.filter((field) => !field.startsWith(REST)).sort((a, b) => place(a) - place(b)),
    rest: shown.filter((field) => field.startsWith(REST)),
  };
}

/** Keeps the name of a platform field, and spells out a field that has no label here. */
export function fieldLabel(field: string): string {
  if (field.startsWith(REST)) return field.slice(REST.length);
  const known = FIELD_LABELS[field]?.[0];
  if (known !== undefined) return known;
  const words = field.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Reads a field without an entry here as a time or duration by the end of its name. */
export function fieldForm(field: string): FieldForm {
  const known = FIELD_LABELS[field];
  if (known !== undefined || field.startsWith(REST)) return known?.[1] ?? "text";
  return field.endsWith("At") ? "time" : field.endsWith("Ms") ? "duration" : "text";
}

export const FAILURE_LABELS: Record<ViewKind, string> = {
  document: "The platform could not process this document",
  task: "The platform reported a failure for this task",
  pipeline: "The platform reported a failure for this pipeline",
  automation: "The last run of this automation failed",
  run: "This run failed",
  integration: "The platform reported a failure for this integration",
  record: "The sender reported a failure for this record",
};
