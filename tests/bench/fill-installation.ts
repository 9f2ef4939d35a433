import { resetEnv } from "#lib/config/env";
import { sourceId, workspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { TEST_ENV } from "#tests/support/environment";
import { fillLog } from "#tests/support/large-log";
import type { Installation } from "../chaos/installation.ts";

/**
 * Turns this process to the database of an installation, and fills the log of its first source. The caller closes the pools.
 *
 * @param log.waiting whether the events wait for the worker
 */
export async function fillInstallation(installation: Installation, log: { events: number; waiting?: boolean }): Promise<void> {
  resetEnv({ ...TEST_ENV, DATABASE_URL: await installation.databaseUrl() });
  const { rows } = await pool().query<{ id: string; workspace: string }>("SELECT id, workspace_id AS workspace FROM sources LIMIT 1");
  const [source] = rows;
  if (!source) throw new Error("the installation has no source");
  await fillLog({ workspaceId: workspaceId.parse(source.workspace), sourceId: sourceId.parse(source.id), ...log });
}
