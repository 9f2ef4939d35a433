import { z } from "zod";
import { refusalWords } from "#lib/contracts/api/rejected-values";
import type { EventTypeInfo } from "#lib/contracts/event-types";

/** The 16 event types of docs/platform.md ("Events"). Only document.processed has a documented shape of `data`. */

export type ResourceKind = "document" | "task" | "pipeline" | "automation" | "run" | "integration";

type CatalogueEntry = {
  title: string;
  meaning: string;
  subject: ResourceKind;
  /** The platform reports a failure of its own (docs/platform.md, "Other failure signals"). */
  reportsFailure?: true;
  /** Absent if docs/platform.md says "not shown". */
  data?: z.ZodType;
};

const documentProcessed = z.looseObject({
  documentId: z.string().startsWith("doc_"),
  organizationId: z.string().startsWith("org_"),
  status: z.string(),
  metadata: z.record(z.string(), z.unknown()),
});

export const EVENT_CATALOGUE = {
  "integration.connected": { title: "Integration connected", meaning: "New integration successfully connected", subject: "integration" },
  "integration.disconnected": { title: "Integration disconnected", meaning: "Integration access revoked", subject: "integration" },
  "integration.error": {
    title: "Integration error",
    meaning: "Integration encountered an error",
    subject: "integration",
    reportsFailure: true,
  },
  "integration.token_refresh": { title: "Token refreshed", meaning: "OAuth token automatically refreshed", subject: "integration" },
  "document.uploaded": { title: "Document uploaded", meaning: "New document uploaded and processed", subject: "document" },
  "document.processed": {
    title: "Document processed",
    meaning: "Document OCR and AI processing completed",
    subject: "document",
    data: documentProcessed,
  },
  "document.error": { title: "Document failed", meaning: "Document processing failed", subject: "document", reportsFailure: true },
  "document.deleted": { title: "Document deleted", meaning: "Document removed from system", subject: "document" },
  "task.created": { title: "Task created", meaning: "New task automatically created", subject: "task" },
  "task.assigned": { title: "Task assigned", meaning: "Task assigned to user or team", subject: "task" },
  "task.completed": { title: "Task completed", meaning: "Task marked as completed", subject: "task" },
  "pipeline.stage_changed": { title: "Stage changed", meaning: "Task moved to a different pipeline stage", subject: "task" },
  "ai.classification_complete": { title: "Classification finished", meaning: "AI task classification finished", subject: "task" },
  "automation.triggered": { title: "Automation triggered", meaning: "Automated workflow executed", subject: "run" },
  "automation.completed": { title: "Automation completed", meaning: "Automation workflow finished", subject: "run" },
  "automation.error": { title: "Automation failed", meaning: "Automation encountered an error", subject: "run", reportsFailure: true },
} as const satisfies Record<string, CatalogueEntry>;

export type EventType = keyof typeof EVENT_CATALOGUE;

export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];

export function describeType(type: string): CatalogueEntry | null {
  return Object.hasOwn(EVENT_CATALOGUE, type) ? EVENT_CATALOGUE[type as EventType] : null;
}

export const titleOfType = (type: string): string => describeType(type)?.title ?? type;

export const listEventTypes = (): EventTypeInfo[] =>
  EVENT_TYPES.map((type) => {
    const { title, meaning, subject, reportsFailure, data }: CatalogueEntry = EVENT_CATALOGUE[type];
    return {
      type,
      title,
      meaning,
      subject,
      reportsFailure: reportsFailure === true,
      dataSchema: data ? z.toJSONSchema(data, { io: "input" }) : null,
    };
  });

export const FAILURE_TYPES: string[] = EVENT_TYPES.filter((type) => describeType(type)?.reportsFailure);

/** Returns differences from the documented shape. Never rejected: the platform may add fields, and its example may not be the rule. */
export function shapeNotes(type: string, data: unknown): string[] {
  const parsed = describeType(type)?.data?.safeParse(data, { error: refusalWords });
  if (!parsed || parsed.success) return [];
  return issueWords(parsed.error, "data");
}

/** Returns the errors by field: `data.id must be text, not a number`. Of what was parsed with `refusalWords`. */
export const issueWords = (error: z.ZodError, ...place: string[]): string[] =>
  error.issues.map(({ path, message }) => `${[...place, ...path].join(".") || "the body"} ${message}`);
