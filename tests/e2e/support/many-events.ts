import { resetEnv } from "#lib/config/env";
import { sourceId, workspaceId } from "#lib/contracts/api/ids";
import { closePools } from "#lib/db/pool";
import { TEST_ENV } from "#tests/support/environment";
import { fillLog } from "#tests/support/large-log";
import { atSize } from "#tests/support/sample";
import { databaseAddress, queryInstallation } from "./installation-database.ts";

/** Enough to scroll and to page; `E2E_EVENTS=100000` for more. */
export const MANY = Number(process.env.E2E_EVENTS ?? atSize(10_000, 1500));

const DAYS = 5;
const END_MS = 600_000;

/** The moment (ISO 8601) since which about so many of them were received. */
export const sinceLast = (events: number): string =>
  new Date(Date.now() - END_MS - Math.min(1, events / MANY) * DAYS * 86_400_000).toISOString();

/** Fills the installation's log, the last event some minutes ago, and waits until the worker has filed all for the search. */
export async function fillInstallation(): Promise<void> {
  // A worker that starts anew after a failure finds them there.
  if ((await queryInstallation("SELECT 1 FROM event_keys WHERE event_id = 'evt_many_0'")).length > 0) return;
  const [source] = await queryInstallation<{ id: string; workspace: string }>(
    "SELECT id, workspace_id AS workspace FROM sources ORDER BY created_at LIMIT 1",
  );
  if (!source) throw new Error("the installation has no source");
  resetEnv({ ...TEST_ENV, DATABASE_URL: await databaseAddress() });
  const place = { workspaceId: workspaceId.parse(source.workspace), sourceId: sourceId.parse(source.id) };
  const until = new Date(Date.now() - END_MS);
  await fillLog({ ...place, events: MANY, run: "many", days: DAYS, until });
  await closePools();
  for (let tries = 0; tries < 1500; tries += 1) {
    const [filed] = await queryInstallation<{ n: string }>("SELECT count(*) AS n FROM event_search");
    if (Number(filed?.n) >= MANY) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the events were not filed for the search");
}
