import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { resetEnv } from "#lib/config/env";
import { sourceId as toSourceId, workspaceId as toWorkspaceId } from "#lib/contracts/api/ids";
import { listKnownMigrations, migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { readVolume } from "#lib/events/volume-store";
import { countHours } from "#lib/flows/events/count-hours";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { TEST_ENV } from "#tests/support/environment";
import { fillLog } from "#tests/support/large-log";
import { makeOpenFolder } from "#tests/support/open-folder";
import { say, seconds } from "./harness.ts";

// `npm run bench -- migrate`: a log of `--events` at the schema before the migration `--from`, the time that the migrations since then take
// beside it, and the time of what the worker makes of it afterwards: the counts by the hour.

const { values } = parseArgs({
  options: { events: { type: "string", default: "1000000" }, from: { type: "string", default: "20261124080000" } },
});
const events = Number(values.events);
const folder = makeOpenFolder("signalbox-migrate-");
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: true });
resetEnv({ ...TEST_ENV, DATABASE_URL: postgres.url });

const [before, since] = [true, false].map((earlier) => listKnownMigrations().filter((name) => name < values.from === earlier));
await migrate(postgres.url, undefined, new Set(before));
const [workspaceId, sourceId] = [toWorkspaceId.parse("wsp_before"), toSourceId.parse("src_before")];
await pool().query("INSERT INTO workspaces (id, name) VALUES ($1, 'Acme')", [workspaceId]);
await pool().query("INSERT INTO sources (id, workspace_id, name) VALUES ($1, $2, 'before')", [sourceId, workspaceId]);
await fillLog({ workspaceId, sourceId, events });
say(`${events.toLocaleString("en")} events at the schema before ${values.from}`);
await closePools();

say(`  ${since?.length} migrations: ${await seconds(() => migrate(postgres.url))} s`);
const counted = await seconds(async () => {
  while (await countHours());
});
const { total, precision } = await readVolume(workspaceId, {}, new Date());
say(`  counted by the hour in ${counted} s: ${total.toLocaleString("en")} events, ${precision}`);

await closePools();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(total === events && precision === "exact" ? 0 : 1);
