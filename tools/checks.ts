import { rmSync } from "node:fs";
import path from "node:path";
import { startEmbeddedPostgres } from "#lib/db/embedded-postgres";
import { makeOpenFolder } from "#tests/support/open-folder";
import { findOffences, readSources } from "./house-rules.ts";
import { commandOf, ROOT, runNode } from "./run-command.ts";

/** A fast check of the sources. It returns what is wrong, in words; nothing when all is well. */
export type Check = { name: string; run: () => Promise<string> };

export const CHECKS: Check[] = [
  { name: "format and lint", run: () => command("@biomejs/biome", "biome", ["check", "."]) },
  { name: "types", run: checkTypes },
  { name: "directions of imports", run: () => command("dependency-cruiser", "depcruise", ["app", "components", "lib"]) },
  { name: "nothing unused", run: () => command("knip", "knip", ["--no-progress", "--no-config-hints"]) },
  { name: "rules of the house", run: async () => findOffences(readSources(ROOT)).join("\n") },
  { name: "migrations in step", run: checkMigrations },
];

async function command(packageName: string, name: string, args: string[], env?: Record<string, string>): Promise<string> {
  const { code, output } = await runNode(commandOf(packageName, name), args, env ? { env } : {});
  return code === 0 ? "" : output || `${name} ended with ${code}`;
}

/** Next writes the types of routes first; without them a fresh clone doesn't check, nor with those of an earlier `npm run dev`. */
async function checkTypes(): Promise<string> {
  rmSync(path.join(ROOT, ".next/dev/types"), { recursive: true, force: true });
  const typegen = await command("next", "next", ["typegen"]);
  return typegen || command("typescript", "tsc", ["--noEmit", "-p", "."]);
}

/** The migrations, applied to an empty database, must give exactly the schema. */
async function checkMigrations(): Promise<string> {
  const folder = makeOpenFolder("signalbox-check-");
  const server = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: false });
  try {
    const args = ["migrate", "diff", "--from-migrations", "prisma/migrations", "--to-schema", "prisma/schema.prisma", "--exit-code"];
    return await command("prisma", "prisma", args, { DATABASE_URL: server.url });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
