import { readFile } from "node:fs/promises";
import path from "node:path";

/** Pages of docs/ for users and operators, in the order and with the titles of the navigation. */
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

/** Reads a page of the version that runs: processes run in the product's folder. */
export const readDocumentation = (name: DocumentationName): Promise<string> => readFile(path.resolve("docs", `${name}.md`), "utf8");
