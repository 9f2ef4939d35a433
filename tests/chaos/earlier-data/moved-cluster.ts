import { execFileSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findPostmaster } from "#lib/installation/embedded/postmaster";
import { processStart } from "#lib/installation/process-lock";
import { runDoctor } from "#tests/support/doctor";
import { check, isClean } from "../checker.ts";
import { makeWebhooks, sendAll, type Webhook } from "../driver.ts";
import { Installation } from "../installation.ts";
import { addOtherSenders } from "../other-senders.ts";
import { Complaints } from "./complaints.ts";
import { untilRebuilt } from "./until-rebuilt.ts";

// Earlier releases that root started below a folder of mode 700 put the database under /var/lib/signalbox by themselves, with
// a note in DATA_DIR. The update goes on with that database, names its place, and moves it in when it is told to.

const EVENTS = 600;

type Moved = {
  /** The folder of mode 700. */
  closed: string;
  dataDir: string;
  note: string;
  /** The cluster, by the note. */
  directory: string;
  systemIdentifier: string;
};
type Trial = { code: string; seed: number; say: (line: string) => void };

/** Runs it from the first start of the earlier release to the database that was moved in. @returns null where that release moves none */
export async function tryMovedCluster({ code, seed, say }: Trial): Promise<Complaints | null> {
  if (process.getuid?.() !== 0) return null;
  const closed = mkdtempSync(path.join(tmpdir(), "signalbox-closed-"));
  const dataDir = path.join(closed, "data");
  const earlier = new Installation(dataDir, { code });
  say(`  below a folder of mode 700 the earlier release is ready after ${(await earlier.start()).toFixed(0)} ms`);
  const moved = findMoved(closed, dataDir);
  if (moved === null) await earlier.stop();
  else say(`    it put the database in ${moved.directory}, system identifier ${moved.systemIdentifier}`);
  const complaints = moved && (await examineUpgraded(moved, await send(moved, earlier, seed), say));
  for (const folder of [closed, ...(moved ? [moved.directory] : [])]) rmSync(folder, { recursive: true, force: true });
  return complaints;
}

type Sent = { port: number; webhooks: Webhook[]; later: Webhook[]; acknowledged: Map<string, number> };

/** Has the earlier release take half of the webhooks, and ends everything with -9 twice: in the midst of them, and when all have come. */
async function send(moved: Moved, earlier: Installation, seed: number): Promise<Sent> {
  await addOtherSenders(earlier);
  const acknowledged = new Map<string, number>();
  const webhooks = makeWebhooks(EVENTS, seed, earlier.secret);
  const later = webhooks.splice(EVENTS / 2);
  await sendUnder(earlier, webhooks, acknowledged, () => killAll(earlier, moved));
  await earlier.start();
  await sendAll(earlier.url, webhooks, acknowledged, () => false);
  await killAll(earlier, moved);
  return { port: earlier.port, webhooks, later, acknowledged };
}

/** The update begins on what the last kill left. */
async function examineUpgraded(moved: Moved, { port, webhooks, later, acknowledged }: Sent, say: Trial["say"]): Promise<Complaints> {
  const complaints = new Complaints();
  const all = [...webhooks, ...later];
  const next = new Installation(moved.dataDir, { port });
  const examine = async (when: string, directory: string) => {
    await sendAll(next.url, all, acknowledged, () => false);
    await untilRebuilt(await next.databaseUrl());
    const findings = await check(await next.databaseUrl(), all, acknowledged);
    complaints.that(`${when} nothing is lost or altered`, isClean(findings) && findings.acknowledged === EVENTS, findings);
    complaints.that(`${when} records are rebuilt the same`, (await next.rebuildsTheSame()).same);
    const identifier = systemIdentifier(directory);
    complaints.that(`${when} it is the same cluster`, identifier === moved.systemIdentifier && runsOn(directory), identifier);
    complaints.that(`${when} the folder of mode 700 stays closed`, (statSync(moved.closed).mode & 0o777) === 0o700);
  };
  say(`    this release is ready on it after ${(await next.start()).toFixed(0)} ms`);
  complaints.that("no second database is made in DATA_DIR", !existsSync(inside(moved)));
  await sendUnder(next, later, acknowledged, () => killAll(next, moved));
  await next.start();
  await examine("after the upgrade", moved.directory);
  const command = moveInCommand(moved, complaints);
  await next.stop();
  execFileSync("sh", ["-c", command]);
  say(`    moved in by the doctor's command, it is ready after ${(await next.start()).toFixed(0)} ms`);
  complaints.that("the database is in DATA_DIR and nowhere else", !existsSync(moved.directory) && !existsSync(moved.note));
  await examine("moved in", inside(moved));
  complaints.that("the doctor finds nothing about its place", !doctor(moved).includes("outside"), doctor(moved));
  await next.stop();
  return complaints;
}

/** The place by the note that the earlier release left; null where it left none. */
function findMoved(closed: string, dataDir: string): Moved | null {
  const note = path.join(dataDir, "postgres.location");
  if (!existsSync(note)) return null;
  const directory = readFileSync(note, "utf8").trim();
  return { closed, dataDir, note, directory, systemIdentifier: systemIdentifier(directory) };
}

const inside = ({ dataDir }: Moved) => path.join(dataDir, "postgres");
const runsOn = (directory: string) => findPostmaster(directory) !== null;

/** The first eight bytes of pg_control: the number that initdb gave the cluster. */
function systemIdentifier(directory: string): string {
  const bytes = Buffer.alloc(8);
  const file = openSync(path.join(directory, "global/pg_control"), "r");
  readSync(file, bytes, 0, 8, 0);
  closeSync(file);
  return bytes.readBigUInt64LE().toString();
}

/** Kills in the middle of what is sent. */
async function sendUnder(
  { url }: Installation,
  webhooks: Webhook[],
  acknowledged: Map<string, number>,
  kill: () => Promise<void>,
): Promise<void> {
  const enough = acknowledged.size + webhooks.length / 3;
  let struck = false;
  const sending = sendAll(url, webhooks, acknowledged, () => struck);
  while (acknowledged.size < enough) await new Promise((resolve) => setTimeout(resolve, 1));
  await kill();
  struck = true;
  await sending;
}

/** Kills everything, the database server too, without the product's own way to it: that of this release would leave its record there. */
async function killAll(installation: Installation, { directory }: Moved): Promise<void> {
  await installation.killGroup();
  const server = findPostmaster(directory);
  if (!server) return;
  process.kill(server.pid, "SIGKILL");
  while (processStart(server.pid) !== null) await new Promise((resolve) => setTimeout(resolve, 5));
}

const doctor = ({ dataDir }: Moved) => runDoctor({ DATA_DIR: dataDir }).lines.join("\n");

/** The command that the doctor prints; one that does nothing where it prints none. */
function moveInCommand(moved: Moved, complaints: Complaints): string {
  const said = doctor(moved);
  const command = /Move it in while Signalbox is stopped: (.*)/.exec(said)?.[1]?.trim() ?? "true";
  complaints.that("the doctor names the place and a command", said.includes(moved.directory) && command.startsWith("mv "), said);
  return command;
}
