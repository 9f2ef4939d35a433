import { readFile } from "node:fs/promises";
import path from "node:path";

/** The pages of docs/ that users and operators read, in this order, with their title in the navigation. */
export const DOCUMENTATION = {
  configuration: "Configuration",
  api: "API",
  sources: "Sources",
  cli: "Command line",
  forwarding: "Forwarding",
  alerts: "Alerts",
  deploy: "Deployment",
  maintenance: "Maintenance",
  runbook: "Runbook",
  metrics: "Metrics",
  security: "Security",
  ARCHITECTURE: "Architecture",
} as const;

export type DocumentationName = keyof typeof DOCUMENTATION;

export const isDocumentationName = (name: string): name is DocumentationName => Object.hasOwn(DOCUMENTATION, name);

/** A page as Markdown, of the version that runs. Processes run in the product's folder (lib/processes/supervisor/child.ts). */
export const readDocumentation = (name: DocumentationName): Promise<string> => readFile(path.resolve("docs", `${name}.md`), "utf8");
