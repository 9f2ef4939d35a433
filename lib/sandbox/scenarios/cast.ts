import type { Random } from "./random.ts";

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
