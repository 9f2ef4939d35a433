import { rmSync } from "node:fs";
import path from "node:path";
import { migrate } from "#lib/db/migrate";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { makeOpenFolder } from "#tests/support/open-folder";
import { checkLockfile } from "./lockfile-engines.ts";
import { findOffences } from "./project-rules.ts";
import { decisionFiles, findDeadDecisions } from "./rules/decisions.ts";
import { readDocuments, readSources } from "./rules/source-file.ts";
import { commandOf, ROOT, runNode } from "./run-command.ts";
import { checkStatements } from "./statements/check-statements.ts";

/** A fast check of the sources. It returns what is wrong, in words; nothing when all is well. */
export type Check = { name: string; run: (built: Promise<void>) => Promise<string> };

export const CHECKS: Check[] = [
  { name: "format and lint", run: () => command("@biomejs/biome", "biome", ["check", "."]) },
  { name: "types", run: checkTypes },
  { name: "directions of imports", run: () => command("dependency-cruiser", "depcruise", ["app", "components", "lib", "packages"]) },
  { name: "nothing unused", run: () => unused() },
  // `ignoreIssues` names two functions that do one round of a loop for tests, and what only next.config.ts imports.
  { name: "nothing that tests alone use", run: () => unused("--production", "--include", "files,exports") },
  { name: "lockfile", run: async () => checkLockfile() },
  { name: "rules of the project", run: async () => findOffences(readSources(ROOT)).join("\n") },
  { name: "references to decisions", run: async () => checkDecisions() },
  { name: "migrations in step", run: () => withDatabase(checkMigrations) },
  { name: "row types of statements", run: () => withDatabase(checkRowTypes) },
];

const checkDecisions = () => findDeadDecisions([...readDocuments(ROOT), ...readSources(ROOT)], decisionFiles(ROOT)).join("\n");

async function command(packageName: string, name: string, args: string[], env?: Record<string, string>): Promise<string> {
  const { code, output } = await runNode(commandOf(packageName, name), args, env ? { env } : {});
  return code === 0 ? "" : output || `${name} ended with ${code}`;
}

const unused = (...only: string[]) => command("knip", "knip", ["--no-progress", "--no-config-hints", ...only]);

/** Next writes the types of routes first; without them a fresh clone doesn't check, nor with those of an earlier `npm run dev`. */
async function checkTypes(built: Promise<void>): Promise<string> {
  await built;
  rmSync(path.join(ROOT, ".next/dev/types"), { recursive: true, force: true });
  const typegen = await command("next", "next", ["typegen"]);
  return typegen || command("typescript", "tsc", ["--noEmit", "-p", "."]);
}

/** Runs a check on an empty database of its own. */
async function withDatabase(run: (url: string) => Promise<string>): Promise<string> {
  const folder = makeOpenFolder("signalbox-check-");
  const server = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: false });
  try {
    return await run(server.url);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The migrations, applied to an empty database, must give exactly the schema. */
function checkMigrations(url: string): Promise<string> {
  const args = ["migrate", "diff", "--from-migrations", "prisma/migrations", "--to-schema", "prisma/schema.prisma", "--exit-code"];
  return command("prisma", "prisma", args, { DATABASE_URL: url });
}

/** Returns what a statement's rows are said to hold must be what the migrated database gives. */
async function checkRowTypes(url: string): Promise<string> {
  await migrate(url);
  const files = readSources(ROOT).map(({ name }) => name);
  return (
    await checkStatements(
      ROOT,
      files.filter((name) => name.startsWith("lib/")),
      url,
    )
  ).join("\n");
}
