import { readFile } from "node:fs/promises";
import path from "node:path";
import { PRODUCT_VERSION } from "#lib/config/product";
import { AppError } from "#lib/contracts/api/app-error";
import { commandLinePath } from "#lib/contracts/command-line-package";

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

type DocumentationName = keyof typeof DOCUMENTATION;

export const isDocumentationName = (name: string): name is DocumentationName => Object.hasOwn(DOCUMENTATION, name);

/** Reads a page of the version that runs: processes run in the product's folder. */
export const readDocumentation = (name: DocumentationName): Promise<string> => readFile(path.resolve("docs", `${name}.md`), "utf8");

const OWN = path.basename(commandLinePath(PRODUCT_VERSION));

/** Returns the command line that the production build packed. @throws AppError `not_found` for another version, or without a build */
export async function readCommandLine(file: string): Promise<Buffer> {
  if (file !== OWN) throw new AppError("not_found", `This Signalbox serves /cli/${OWN}.`);
  return readFile(path.resolve("packages/cli/dist", OWN)).catch(() => {
    throw new AppError("not_found", "The production build packs the command line. In a clone, use npm run cli.");
  });
}
