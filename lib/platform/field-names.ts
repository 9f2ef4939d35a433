/**
 * Where in `data` a fact may stand. platform-spec shows the fields of
 * document.processed alone (documentId, organizationId, status, metadata); all
 * the other spellings are ASSUMPTIONS: the natural ones, tried in order. A dot
 * walks into an object. Add a spelling here and every view reads it.
 */
export const FIELD_NAMES = {
  documentId: ["documentId", "document.id", "document_id", "docId"],
  organizationId: ["organizationId", "organization.id", "organization_id", "orgId"],
  documentName: ["fileName", "filename", "name", "document.name", "metadata.fileName", "metadata.filename", "metadata.name"],
  contentType: ["contentType", "mimeType", "metadata.mimeType", "metadata.contentType"],
  sizeBytes: ["sizeBytes", "size", "metadata.sizeBytes", "metadata.size"],
  pages: ["pages", "pageCount", "metadata.pages", "metadata.pageCount"],
  status: ["status"],
  metadata: ["metadata"],
  processingMs: [
    "processingMs",
    "processingTimeMs",
    "processing_time_ms",
    "processingTime",
    "durationMs",
    "metadata.processingMs",
    "metadata.processingTimeMs",
  ],
  taskId: ["taskId", "task.id", "task_id"],
  taskTitle: ["title", "taskTitle", "task.title", "name", "task.name"],
  assignee: [
    "assignee.name",
    "assignee.email",
    "assignee.id",
    "assignee",
    "assigneeName",
    "assigneeId",
    "assignedTo.name",
    "assignedTo",
    "user.name",
    "userId",
  ],
  team: ["team.name", "team.id", "team", "teamName", "teamId"],
  classification: ["classification", "category", "label", "result.classification", "result.label"],
  confidence: ["confidence", "score", "result.confidence"],
  pipelineId: ["pipelineId", "pipeline.id", "pipeline_id", "pipeline"],
  pipelineName: ["pipelineName", "pipeline.name"],
  stage: [
    "toStage.name",
    "toStage.id",
    "toStage",
    "stage.name",
    "stage.id",
    "stage",
    "newStage",
    "to",
    "stageName",
    "stageId",
    "toStageId",
  ],
  fromStage: ["fromStage.name", "fromStage.id", "fromStage", "previousStage", "from", "fromStageId"],
  automationId: ["automationId", "automation.id", "automation_id", "workflowId"],
  automationName: ["automationName", "automation.name", "name", "workflowName"],
  runId: ["runId", "run.id", "run_id", "executionId"],
  trigger: ["trigger.type", "trigger", "triggeredBy"],
  durationMs: ["durationMs", "duration_ms", "duration"],
  integrationId: ["integrationId", "integration.id", "integration_id"],
  provider: ["provider.name", "provider", "providerName", "integration.provider"],
  account: ["account.name", "account", "accountName", "accountId"],
  expiresAt: ["expiresAt", "expires_at", "tokenExpiresAt"],
  errorCode: ["error.code", "errorCode", "code"],
  errorMessage: ["error.message", "errorMessage", "message", "error", "reason"],
} as const satisfies Record<string, readonly string[]>;

export type FactName = keyof typeof FIELD_NAMES;

/** The first spelling of a fact that holds a value, with where it was found; undefined when none does. */
export function readFact(data: Record<string, unknown>, fact: FactName): { value: unknown; path: string } | undefined {
  for (const path of FIELD_NAMES[fact]) {
    const value = valueAt(data, path);
    if (value !== undefined && value !== null && value !== "") return { value, path };
  }
  return undefined;
}

/** A fact that identifies a resource: text or a whole number, as text, with where it was found; undefined when it is neither. */
export function findId(data: Record<string, unknown>, fact: FactName): { id: string; path: string } | undefined {
  for (const path of FIELD_NAMES[fact]) {
    const value = valueAt(data, path);
    if (typeof value === "string" && value.trim() !== "") return { id: value, path };
    if (typeof value === "number" && Number.isSafeInteger(value)) return { id: String(value), path };
  }
  return undefined;
}

/** The same without the place. */
export const readId = (data: Record<string, unknown>, fact: FactName): string | undefined => findId(data, fact)?.id;

function valueAt(data: Record<string, unknown>, path: string): unknown {
  let value: unknown = data;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
