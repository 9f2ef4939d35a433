import { idText } from "#lib/contracts/exact-numbers";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { MappableField } from "#lib/contracts/sources/mappable-fields";

/** Tried in order, after a source's mapping. ASSUMPTION: docs/platform.md shows only the fields of document.processed. */
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
} as const satisfies Record<FactName, readonly string[]>;

export type FactName = Exclude<MappableField, `event.${string}`>;

/** One object, so that what is derived from it is derived once. */
export const NO_MAPPING: FieldMapping = {};

/** Returns the paths of a fact in order, the source's own first. */
export function pathsOf(fact: FactName, mapping: FieldMapping): readonly string[] {
  const own = mapping[fact];
  return own ? [...own, ...FIELD_NAMES[fact]] : FIELD_NAMES[fact];
}

const ALL = "all";

/** Read only in event types about the fact: `to` is a stage in a move and may be a person in an assignment. ASSUMPTIONS. */
const ONLY_WHERE_DECLARED: Partial<Record<FactName, readonly string[] | typeof ALL>> = {
  processingMs: ["durationMs"],
  taskTitle: ["name"],
  assignee: ["user.name", "userId"],
  classification: ["category", "label"],
  confidence: ["score"],
  stage: ["to"],
  fromStage: ["from"],
  errorCode: ALL,
  errorMessage: ALL,
};

/** Returns the spellings of a fact in an event, in order. `declared`: the event's type is about the fact (lib/views/definition). */
export function spellingsOf(fact: FactName, declared: boolean, mapping: FieldMapping): readonly string[] {
  const spellings = pathsOf(fact, mapping);
  const ambiguous = ONLY_WHERE_DECLARED[fact];
  if (declared || ambiguous === undefined) return spellings;
  return ambiguous === ALL ? [] : spellings.filter((path) => !ambiguous.includes(path));
}

export function readFirst(data: Record<string, unknown>, paths: readonly string[]): { value: unknown; path: string } | undefined {
  for (const path of paths) {
    const value = valueAt(data, path);
    if (value !== undefined && value !== null && value !== "") return { value, path };
  }
  return undefined;
}

export const readFact = (data: Record<string, unknown>, fact: FactName, mapping: FieldMapping): unknown =>
  readFirst(data, pathsOf(fact, mapping))?.value;

/** Finds a fact that identifies a resource: text or a whole number, as text. */
export function findId(data: Record<string, unknown>, fact: FactName, mapping: FieldMapping): { id: string; path: string } | undefined {
  for (const path of pathsOf(fact, mapping)) {
    const id = idText(valueAt(data, path));
    if (id !== undefined) return { id, path };
  }
  return undefined;
}

export const readId = (data: Record<string, unknown>, fact: FactName, mapping: FieldMapping): string | undefined =>
  findId(data, fact, mapping)?.id;

export function valueAt(data: unknown, path: string): unknown {
  let value: unknown = data;
  for (let at = 0; ; ) {
    const dot = path.indexOf(".", at);
    const key = dot < 0 ? path.slice(at) : path.slice(at, dot);
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
    if (dot < 0) return value;
    at = dot + 1;
  }
}
