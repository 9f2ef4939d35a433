import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { resetEnv } from "#lib/config/env";
import { migrate } from "#lib/db/migrate";
import { closePools } from "#lib/db/pool";
import { ensureBuild } from "#lib/installation/build";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { TEST_ENV } from "#tests/support/environment";
import { makeOpenFolder } from "#tests/support/open-folder";
import { makeWorkspace } from "#tests/support/webhooks";
import { benchDrain } from "./drain.ts";
import { benchForwarding } from "./forwarding.ts";
import type { ServerKind } from "./harness.ts";
import { benchQueries } from "./queries.ts";
import { benchReceiver } from "./receiver.ts";
import { benchViews } from "./views.ts";
import { benchWorker } from "./worker.ts";

// `npm run bench`: what this machine makes of the receiver, the worker and the
// pages' queries, each beside something to compare it with in the same run.
// `--only receiver,worker,forwarding,queries,views` picks; `--large` asks 10 million rows
// too, and `--tasks` says how many tasks the board of `views` has. `--only drain`
// has `--waiting 1000000` events drained by `--workers 1,4` worker processes.

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "receiver,worker,forwarding,queries,views" },
    kinds: { type: "string", default: "limit,native,route,naive" },
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "7" },
    connections: { type: "string", default: "64" },
    sizes: { type: "string", default: "10000,1000000" },
    tasks: { type: "string", default: "100000" },
    waiting: { type: "string", default: "1000000" },
    workers: { type: "string", default: "1,4" },
    large: { type: "boolean", default: false },
  },
});
const only = new Set(values.only.split(","));

const folder = makeOpenFolder("signalbox-bench-");
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: true });
resetEnv({ ...TEST_ENV, DATABASE_URL: postgres.url });
await migrate(postgres.url);
const place = await makeWorkspace("bench");

if (only.has("receiver")) {
  const kinds = values.kinds.split(",") as ServerKind[];
  if (kinds.includes("route")) await ensureBuild();
  await benchReceiver(place, {
    databaseUrl: postgres.url,
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: Number(values.connections),
    kinds,
  });
}
if (only.has("worker")) await benchWorker(place);
if (only.has("drain")) {
  const workers = values.workers.split(",").map(Number);
  await benchDrain(place, { databaseUrl: postgres.url, events: Number(values.waiting), workers });
}
if (only.has("forwarding")) await benchForwarding(place);
if (only.has("queries")) await benchQueries([...values.sizes.split(",").map(Number), ...(values.large ? [10_000_000] : [])]);
if (only.has("views")) await benchViews(Number(values.tasks));
await closePools();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
