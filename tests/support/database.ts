import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { resetEnv } from "#lib/config/env";
import { closeListening } from "#lib/db/listen";
import { closePools } from "#lib/db/pool";
import { closePrisma } from "#lib/db/prisma";
import { TEST_ENV } from "./environment.ts";

/**
 * Gives the test file a database of its own, a copy of the migrated template,
 * and the environment to go with it. Call it once, at the top of the file.
 *
 * @param extra further environment variables, for example SANDBOX
 * @returns the copy's address, known once the tests run
 */
export function useDatabase(extra: Record<string, string> = {}): { url: () => string } {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const address = new URL(inject("templateUrl"));
  const template = address.pathname.slice(1);
  address.pathname = `/${name}`;

  beforeAll(async () => {
    await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY FILE_COPY`);
    resetEnv({ ...TEST_ENV, DATABASE_URL: address.href, ...extra });
  });

  afterAll(async () => {
    await closePrisma();
    await closeListening();
    await closePools();
    await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  return { url: () => address.href };
}

/** Runs one statement on the server, outside any test's database. */
async function asAdmin(sql: string): Promise<void> {
  const admin = new URL(inject("templateUrl"));
  admin.pathname = "/postgres";
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
