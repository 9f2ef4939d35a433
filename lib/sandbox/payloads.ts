import { describeType, EVENT_TYPES, type EventType, titleOfType } from "#lib/platform/event-catalogue";

/** Returns an empty object for a type that the platform does not have. */
export function sampleData(type: string, random: Random): Record<string, unknown> {
  return isEventType(type) ? PAYLOADS[type](castOf(random), random) : {};
}

/** Returns a sample of each of the 16 types. One cast plays them all, so that they belong together. */
export function sampleEvents(seed: number): { type: EventType; title: string; data: Record<string, unknown> }[] {
  const random = seededRandom(seed);
  const cast = castOf(random);
  return EVENT_TYPES.map((type) => ({ type, title: titleOfType(type), data: PAYLOADS[type](cast, random) }));
}

const isEventType = (type: string): type is EventType => describeType(type) !== null;

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

const SUPPLIERS = [
  "Nordwind Papier",
  "Helios Energie",
  "Kastner Logistics",
  "Brightwater Supply",
  "Okafor & Sons",
  "Luminar Optik",
] as const;

const PEOPLE = [
  { id: "user_mara", name: "Mara Lindqvist" },
  { id: "user_tomasz", name: "Tomasz Wieczorek" },
  { id: "user_priya", name: "Priya Raman" },
  { id: "user_jonas", name: "Jonas Albrecht" },
] as const;

const PIPELINE = { id: "pipe_invoices", name: "Invoices", stages: ["Inbox", "Review", "Approval", "Paid"] } as const;

const AUTOMATIONS = [
  { id: "auto_book_invoice", name: "Book approved invoices" },
  { id: "auto_notify_owner", name: "Tell the owner about new documents" },
] as const;

const PROVIDERS = [
  { name: "Google Drive", account: "buchhaltung@acme.example" },
  { name: "Dropbox", account: "inbox@acme.example" },
  { name: "SharePoint", account: "finance@globex.example" },
] as const;

export type Cast = {
  organizationId: string;
  document: { documentId: string; fileName: string; supplier: string; sizeBytes: number; pages: number };
  task: { taskId: string; title: string };
  person: (typeof PEOPLE)[number];
  pipeline: typeof PIPELINE;
  automation: (typeof AUTOMATIONS)[number];
  runId: string;
  integration: { integrationId: string; provider: string; account: string };
};

export function castOf(random: Random): Cast {
  const supplier = random.pick(SUPPLIERS);
  const number = random.between(10_000, 99_999);
  const provider = random.pick(PROVIDERS);
  const slug = supplier.toLowerCase().replace(/[^a-z]+/g, "-");
  return {
    organizationId: random.pick(["org_acme", "org_globex"]),
    document: {
      documentId: random.id("doc"),
      fileName: `invoice-${slug}-${number}.pdf`,
      supplier,
      sizeBytes: random.between(48_000, 2_400_000),
      pages: random.between(1, 9),
    },
    task: { taskId: random.id("task"), title: `Check invoice ${number} from ${supplier}` },
    person: random.pick(PEOPLE),
    pipeline: PIPELINE,
    automation: random.pick(AUTOMATIONS),
    runId: random.id("run"),
    integration: { integrationId: random.id("int"), provider: provider.name, account: provider.account },
  };
}

export type Random = {
  pick: <const T extends readonly [unknown, ...unknown[]]>(from: T) => T[number];
  between: (low: number, high: number) => number;
  id: (prefix: string) => string;
};

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Returns predictable choices (mulberry32); not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
    id: (prefix) => `${prefix}_${Array.from({ length: 20 }, () => ALPHABET[between(0, 35)]).join("")}`,
  };
}

export const freshSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
