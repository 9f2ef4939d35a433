import { readFile } from "node:fs/promises";
import path from "node:path";
import { PRODUCT_VERSION } from "#lib/config/product";
import { AppError } from "#lib/contracts/api/app-error";
import { commandLinePath } from "#lib/contracts/command-line-package";

type DocumentationPage = { name: string; title: string; about: string };

/** Pages of docs/ for users and operators, as the start page lists them. */
export const CHAPTERS: { title: string; pages: DocumentationPage[] }[] = [
  {
    title: "Receive and forward",
    pages: [
      { name: "sources", title: "Sources", about: "Add a sender, prove its requests and say where its events have their fields." },
      { name: "event-types", title: "Event types", about: "What each type of event looks like, and what happens when it changes." },
      { name: "forwarding", title: "Forwarding", about: "Send events on to your own applications, filtered, signed and in order." },
      { name: "alerts", title: "Alerts", about: "Tell a person, once, what needs them." },
    ],
  },
  {
    title: "Build on it",
    pages: [
      { name: "api", title: "API", about: "Everything in the app, by script. First call in one minute." },
      { name: "cli", title: "Command line", about: "Receive events on your machine, and read and re-deliver from a terminal." },
    ],
  },
  {
    title: "Run it",
    pages: [
      { name: "configuration", title: "Configuration", about: "Every environment variable: its default and what it does." },
      { name: "deploy", title: "Deployment", about: "A server, Docker, Kubernetes or a hosted platform." },
      { name: "maintenance", title: "Maintenance", about: "Planned work: members, secrets, updates, backups and restores." },
      { name: "runbook", title: "Runbook", about: "Something is wrong: what to look at first, and what to do." },
      { name: "metrics", title: "Metrics", about: "What /metrics says, for Prometheus." },
    ],
  },
  {
    title: "How it works",
    pages: [
      { name: "ARCHITECTURE", title: "Architecture", about: "What happens to a webhook, the glossary and the map of the code." },
      { name: "security", title: "Security", about: "Each requirement of OWASP ASVS 5.0, and how it is met." },
    ],
  },
];

/** Every page, in the order of the navigation. */
export const DOCUMENTATION = CHAPTERS.flatMap(({ pages }) => pages);

export const findDocumentation = (asked: string): DocumentationPage | undefined => DOCUMENTATION.find(({ name }) => name === asked);

/** Reads a page of the version that runs: processes run in the product's folder. */
export const readDocumentation = ({ name }: DocumentationPage): Promise<string> => readFile(path.resolve("docs", `${name}.md`), "utf8");

const OWN = path.basename(commandLinePath(PRODUCT_VERSION));

/** Returns the command line that the production build packed. @throws AppError `not_found` for another version, or without a build */
export async function readCommandLine(file: string): Promise<Buffer> {
  if (file !== OWN) throw new AppError("not_found", `This Signalbox serves /cli/${OWN}.`);
  return readFile(path.resolve("packages/cli/dist", OWN)).catch(() => {
    throw new AppError("not_found", "The production build packs the command line. In a clone, use npm run cli.");
  });
}
