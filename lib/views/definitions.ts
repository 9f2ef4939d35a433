import type { ViewKind } from "#lib/contracts/views";
import type { FactName } from "#lib/platform/field-names";
import type { Mode } from "./fold/register.ts";

const error = { errorCode: "errorCode", errorMessage: "errorMessage" } as const;
/** An error without a code or message clears those of an earlier error. */
const ERROR = Object.keys(error);
const FAILURE = [...ERROR, "failedAt"];

/** Documents of other platforms (planGeneric) have their source as parent; the platform's own have none. */
const document: ViewDefinition = {
  kind: "document",
  id: ["documentId"],
  label: ["name"],
  parent: "source",
  // Only another platform's documents are completed, declined or cancelled.
  terminal: ["completed", "declined", "cancelled", "deleted"],
  failed: ["error"],
  // Another platform's document says again and again that it is completed.
  first: ["draftAt", "sentAt", "viewedAt", "signedAt", "completedAt", "declinedAt", "cancelledAt", "expiredAt", "errorAt"],
  keepsRest: true,
  types: {
    "document.uploaded": {
      rank: 10,
      state: "uploaded",
      required: true,
      clears: FAILURE,
      set: {
        name: "documentName",
        organizationId: "organizationId",
        contentType: "contentType",
        sizeBytes: "sizeBytes",
        pages: "pages",
        metadata: "metadata",
        uploadedAt: "created",
      },
    },
    "document.processed": {
      rank: 20,
      state: "processed",
      required: true,
      clears: FAILURE,
      set: {
        name: "documentName",
        organizationId: "organizationId",
        status: "status",
        metadata: "metadata",
        pages: "pages",
        processingMs: "processingMs",
        processedAt: "created",
      },
    },
    "document.error": {
      rank: 20,
      state: "error",
      required: true,
      clears: ERROR,
      set: { name: "documentName", organizationId: "organizationId", status: "status", failedAt: "created", ...error },
    },
    "document.deleted": {
      rank: 30,
      state: "deleted",
      required: true,
      clears: FAILURE,
      set: { organizationId: "organizationId", deletedAt: "created" },
    },
  },
};

const placed = { pipelineId: "pipelineId", stage: "stage" } as const;

const task: ViewDefinition = {
  kind: "task",
  id: ["taskId"],
  label: ["title"],
  parent: "pipelineId",
  terminal: ["completed"],
  failed: [],
  keepsRest: true,
  types: {
    "task.created": {
      rank: 10,
      state: "open",
      required: true,
      set: { title: "taskTitle", documentId: "documentId", createdAt: "created", ...placed },
    },
    "ai.classification_complete": {
      rank: 15,
      required: true,
      set: { classification: "classification", confidence: "confidence", classifiedAt: "created", documentId: "documentId" },
    },
    "task.assigned": { rank: 20, state: "assigned", required: true, set: { assignee: "assignee", team: "team", assignedAt: "created" } },
    "pipeline.stage_changed": { rank: 25, required: true, set: { ...placed, fromStage: "fromStage", stageSince: "created" } },
    "task.completed": { rank: 30, state: "completed", required: true, set: { completedAt: "created", stage: "stage" } },
  },
};

const pipelineSeen = {
  set: { name: "pipelineName", lastMovedAt: "created", firstSeenAt: "created" },
} as const;

const pipeline: ViewDefinition = {
  kind: "pipeline",
  id: ["pipelineId"],
  label: ["name"],
  terminal: [],
  failed: [],
  first: ["firstSeenAt"],
  stages: ["fromStage", "stage"],
  types: {
    "task.created": { rank: 10, state: "active", ...pipelineSeen },
    "pipeline.stage_changed": { rank: 25, state: "active", ...pipelineSeen },
    "task.completed": { rank: 30, state: "active", ...pipelineSeen },
  },
};

const automation: ViewDefinition = {
  kind: "automation",
  id: ["automationId"],
  label: ["name"],
  terminal: [],
  failed: ["error"],
  types: {
    "automation.triggered": { rank: 10, state: "running", clears: ERROR, set: { name: "automationName", lastTriggeredAt: "created" } },
    "automation.completed": { rank: 20, state: "completed", clears: ERROR, set: { name: "automationName", lastCompletedAt: "created" } },
    "automation.error": { rank: 20, state: "error", clears: ERROR, set: { name: "automationName", lastFailedAt: "created", ...error } },
  },
};

const run: ViewDefinition = {
  kind: "run",
  // An assumption: without a run's ID the automation's own stands for its one run.
  id: ["runId", "automationId"],
  label: ["name"],
  parent: "automationId",
  terminal: [],
  failed: ["error"],
  keepsRest: true,
  types: {
    "automation.triggered": {
      rank: 10,
      state: "running",
      required: true,
      clears: ERROR,
      set: { automationId: "automationId", name: "automationName", trigger: "trigger", startedAt: "created" },
    },
    "automation.completed": {
      rank: 20,
      state: "completed",
      required: true,
      clears: ERROR,
      set: { automationId: "automationId", durationMs: "durationMs", endedAt: "created" },
    },
    "automation.error": {
      rank: 20,
      state: "error",
      required: true,
      clears: ERROR,
      set: { automationId: "automationId", endedAt: "created", ...error },
    },
  },
};

const known = { provider: "provider", account: "account" } as const;

const integration: ViewDefinition = {
  kind: "integration",
  // An assumption: one without an ID is known by its provider.
  id: ["integrationId", "provider"],
  label: ["provider"],
  terminal: [],
  failed: ["error"],
  keepsRest: true,
  types: {
    "integration.connected": {
      rank: 10,
      state: "connected",
      required: true,
      clears: ERROR,
      set: { ...known, connectedAt: "created" },
    },
    "integration.token_refresh": {
      rank: 20,
      state: "connected",
      required: true,
      clears: ERROR,
      set: { ...known, lastRefreshAt: "created", expiresAt: "expiresAt" },
    },
    "integration.error": { rank: 25, state: "error", required: true, clears: ERROR, set: { ...known, lastErrorAt: "created", ...error } },
    "integration.disconnected": {
      rank: 30,
      state: "disconnected",
      required: true,
      set: { ...known, disconnectedAt: "created" },
    },
  },
};

/** Made of another sender's events by the setting of a source (planGeneric): it has no types. */
const record: ViewDefinition = {
  kind: "record",
  id: [],
  label: ["title", "recordId"],
  parent: "source",
  terminal: [],
  failed: [],
  keepsRest: true,
  types: {},
};

/** To add a kind: add it to contracts/views.ts and here (CONTRIBUTING.md). */
export const DEFINITIONS: Record<ViewKind, ViewDefinition> = { document, task, pipeline, automation, run, integration, record };

export type Effects = {
  /** Orders events of the same second: the lower rank happened first. */
  rank: number;
  state?: string;
  /** Field of the view <- fact of the payload, or `created` for the event's own time. */
  set?: Record<string, FactName | "created">;
  /** Fields of an earlier failure that this event ends. It tells by its field set to `created`, so clearing that must clear these too. */
  clears?: readonly string[];
  /** True where the event is useless without this resource's ID: its absence is a failure, not a skip. */
  required?: true;
};

export type ViewDefinition = {
  kind: ViewKind;
  id: FactName[];
  types: Record<string, Effects>;
  /** States that nothing leaves: no later event restores a deleted document. */
  terminal: string[];
  failed: string[];
  label: string[];
  /** Field with the record it is listed under: a task's pipeline. */
  parent?: string;
  /** Fields that keep their first writer: when a thing was first seen. */
  first?: string[];
  /** Facts whose values are kept as stages, by first sight. */
  stages?: FactName[];
  keepsRest?: true;
};

export const STAGE_PREFIX = "stage:";

export function modeOf({ first }: ViewDefinition, field: string): Mode {
  return first?.includes(field) || field.startsWith(STAGE_PREFIX) ? "first" : "last";
}

/** Returns the kind of record that an event of this type needs, and the facts that identify it; null for none. */
export function requiredId(type: string): { kind: ViewKind; facts: readonly FactName[] } | null {
  const definition = Object.values(DEFINITIONS).find(({ types }) => types[type]?.required);
  return definition ? { kind: definition.kind, facts: definition.id } : null;
}

/** Raise it with every change that makes other records of the same events: earlier records are rebuilt. A test compares definitions. */
export const FOLD_VERSION = 3;
