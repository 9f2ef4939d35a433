import type { EventType } from "#lib/platform/event-catalogue";
import type { Cast } from "./cast.ts";
import type { Random } from "./random.ts";

type Data = Record<string, unknown>;

/** Only document.processed is documented (docs/platform.md, "data object"); the others are what such a platform would naturally send. */
export const PAYLOADS: Record<EventType, (cast: Cast, random: Random) => Data> = {
  "integration.connected": (cast) => ({ ...integration(cast), scopes: ["files.read"], connectedBy: cast.person.name }),
  "integration.disconnected": (cast) => ({ ...integration(cast), reason: "Access was revoked by the account's administrator." }),
  "integration.error": (cast) => ({
    ...integration(cast),
    error: { code: "rate_limited", message: `${cast.integration.provider}: too many requests.` },
  }),
  "integration.token_refresh": (cast) => ({ ...integration(cast), expiresIn: 3600 }),
  "document.uploaded": (cast) => ({ ...documentOf(cast), source: cast.integration.provider, uploadedBy: cast.person.name }),
  // Exactly the documented shape: four fields, no more.
  "document.processed": (cast, random) => ({
    documentId: cast.document.documentId,
    organizationId: cast.organizationId,
    status: "completed",
    metadata: {
      fileName: cast.document.fileName,
      pages: cast.document.pages,
      language: "de",
      documentType: "invoice",
      supplier: cast.document.supplier,
      total: { amount: random.between(4_000, 900_000) / 100, currency: "EUR" },
      ocrConfidence: random.between(930, 999) / 1000,
    },
  }),
  "document.error": (cast) => ({
    ...documentOf(cast),
    status: "failed",
    error: { code: "ocr_unreadable", message: "Page 1 is too blurred to read. Scan it again at 300 dpi or more." },
  }),
  "document.deleted": (cast) => ({
    documentId: cast.document.documentId,
    organizationId: cast.organizationId,
    deletedBy: cast.person.name,
  }),
  "task.created": (cast) => ({
    ...taskOf(cast),
    title: cast.task.title,
    documentId: cast.document.documentId,
    pipelineId: cast.pipeline.id,
    pipelineName: cast.pipeline.name,
    stage: cast.pipeline.stages[0],
    priority: "normal",
  }),
  "task.assigned": (cast) => ({ ...taskOf(cast), assigneeId: cast.person.id, assignee: cast.person }),
  "task.completed": (cast) => ({ ...taskOf(cast), completedBy: cast.person.name, outcome: "approved" }),
  "pipeline.stage_changed": (cast) => stageMove(cast, 0),
  "ai.classification_complete": (cast, random) => ({
    ...taskOf(cast),
    documentId: cast.document.documentId,
    classification: "invoice.incoming",
    confidence: random.between(880, 995) / 1000,
    model: "classify-4",
  }),
  "automation.triggered": (cast) => ({ ...runOf(cast), trigger: "pipeline.stage_changed", taskId: cast.task.taskId }),
  "automation.completed": (cast, random) => ({ ...runOf(cast), status: "completed", durationMs: random.between(180, 4_200), steps: 3 }),
  "automation.error": (cast) => ({
    ...runOf(cast),
    status: "failed",
    error: { code: "step_failed", message: "Step 2 of 3, booking the invoice: the ledger is closed for this period." },
  }),
};

export function stageMove(cast: Cast, from: number): Data {
  return {
    ...taskOf(cast),
    pipelineId: cast.pipeline.id,
    pipelineName: cast.pipeline.name,
    fromStage: cast.pipeline.stages[from],
    toStage: cast.pipeline.stages[from + 1],
    movedBy: cast.person.name,
  };
}

const integration = (cast: Cast): Data => ({ ...cast.integration, organizationId: cast.organizationId });

const taskOf = (cast: Cast): Data => ({ taskId: cast.task.taskId, organizationId: cast.organizationId });

const runOf = (cast: Cast): Data => ({
  automationId: cast.automation.id,
  automationName: cast.automation.name,
  runId: cast.runId,
  organizationId: cast.organizationId,
});

function documentOf({ document, organizationId }: Cast): Data {
  const { documentId, fileName, sizeBytes, pages } = document;
  return { documentId, organizationId, fileName, contentType: "application/pdf", sizeBytes, pages };
}
