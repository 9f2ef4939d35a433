import { readFile } from "node:fs/promises";
import path from "node:path";
import { PRODUCT_VERSION } from "#lib/config/product";
import { AppError } from "#lib/contracts/api/app-error";
import { commandLinePath } from "#lib/contracts/command-line-package";

/** Pages of docs/ for users and operators, in the order and with the titles of the navigation. */
export const DOCUMENTATION = {
  sources: "Sources",
  "event-types": "Event types",
  forwarding: "Forwarding",
  alerts: "Alerts",
  api: "API",
  cli: "Command line",
  configuration: "Configuration",
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

type Chapter = { title: string; pages: { name: DocumentationName; about: string }[] };

/** The start page: every page in one chapter. */
export const CHAPTERS: Chapter[] = [
  {
    title: "Receive and forward",
    pages: [
      { name: "sources", about: "Add a sender, prove its requests and say where its events have their fields." },
      { name: "event-types", about: "What each type of event looks like, and what happens when it changes." },
      { name: "forwarding", about: "Send events on to your own applications, filtered, signed and in order." },
      { name: "alerts", about: "Tell a person, once, what needs them." },
    ],
  },
  {
    title: "Build on it",
    pages: [
      { name: "api", about: "Everything in the app, by script. First call in one minute." },
      { name: "cli", about: "Receive events on your machine, and read and re-deliver from a terminal." },
    ],
  },
  {
    title: "Run it",
    pages: [
      { name: "configuration", about: "Every environment variable: its default and what it does." },
      { name: "deploy", about: "A server, Docker, Kubernetes or a hosted platform." },
      { name: "maintenance", about: "Planned work: members, secrets, updates, backups and restores." },
      { name: "runbook", about: "Something is wrong: what to look at first, and what to do." },
      { name: "metrics", about: "What /metrics says, for Prometheus." },
    ],
  },
  {
    title: "How it works",
    pages: [
      { name: "ARCHITECTURE", about: "What happens to a webhook, the glossary and the map of the code." },
      { name: "security", about: "Each requirement of OWASP ASVS 5.0, and how it is met." },
    ],
  },
];

const OWN = path.basename(commandLinePath(PRODUCT_VERSION));

/** Returns the command line that the production build packed. @throws AppError `not_found` for another version, or without a build */
export async function readCommandLine(file: string): Promise<Buffer> {
  if (file !== OWN) throw new AppError("not_found", `This Signalbox serves /cli/${OWN}.`);
  return readFile(path.resolve("packages/cli/dist", OWN)).catch(() => {
    throw new AppError("not_found", "The production build packs the command line. In a clone, use npm run cli.");
  });
}
