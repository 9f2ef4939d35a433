import { createHash, type Hash, randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { seal, unseal } from "#lib/backup/format/seal";
import { residentMegabytes } from "#tests/support/resident-memory";
import { say } from "./harness.ts";

// `npm run bench -- seal`: seals a stream of that many megabytes as a stored backup is sealed, opens it at once, and compares. Prints time,
// processor and the most memory that the process held. Exits with 1 when the streams differ.

const { values } = parseArgs({ options: { megabytes: { type: "string", default: "1000" } } });
const megabytes = Number(values.megabytes);
const MB = 1_000_000;
const MAX_GROWTH_MB = 200;

const key = { kid: "b1", key: new Uint8Array(randomBytes(32)) };
const label = { name: "bench.backup", createdAt: "2026-11-29T00:00:00.000Z", installation: "http://localhost:3000" };
const block = randomBytes(MB);

async function* backup(hash: Hash): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < megabytes; sent += 1) {
    block.writeUInt32LE(sent);
    hash.update(block);
    yield Buffer.from(block);
  }
}

/** Reads a stream to its end. @returns its bytes, and what reading it cost */
async function measure(stream: AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
  const [since, used] = [performance.now(), process.cpuUsage()];
  let [bytes, chunks, most] = [0, 0, 0];
  for await (const chunk of stream) {
    bytes += chunk.length;
    chunks += 1;
    if (chunks % 100 === 0) most = Math.max(most, residentMegabytes(process.pid));
    onChunk(chunk);
  }
  const { user, system } = process.cpuUsage(used);
  return { bytes, most, seconds: (performance.now() - since) / 1000, cpu: (user + system) / 1e6 };
}

const words = ({ seconds, cpu, most }: Awaited<ReturnType<typeof measure>>) =>
  `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor (${(megabytes / cpu).toFixed(0)} MB a second of it), at most ${most.toFixed(0)} MB in memory`;

const before = residentMegabytes(process.pid);
const one = createHash("sha256");
const sealed = await measure(seal(backup(one), { key, label }), () => undefined);
say(`sealed ${megabytes} MB to ${(sealed.bytes / MB).toFixed(1)} MB, with its hash: ${words(sealed)}`);

const [sent, got] = [createHash("sha256"), createHash("sha256")];
const both = await measure(unseal(seal(backup(sent), { key, label }), { keys: [key], name: label.name }), (chunk) => got.update(chunk));
say(`sealed and opened, with two hashes: ${words(both)}`);
say(`in memory before: ${before.toFixed(0)} MB`);

const isSame = sent.digest("hex") === got.digest("hex") && both.bytes === megabytes * MB;
const isBounded = Math.max(sealed.most, both.most) - before < MAX_GROWTH_MB;
if (!isSame) say("WRONG: what was opened differs from what was sealed");
if (!isBounded) say(`WRONG: memory grew by more than ${MAX_GROWTH_MB} MB`);
process.exit(isSame && isBounded ? 0 : 1);
