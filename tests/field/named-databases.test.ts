import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { env, resetEnv } from "#lib/config/env";
import { closePools } from "#lib/db/pool";
import { proveNext } from "#lib/flows/installation/backup/prove-backups";
import { readProofStatus } from "#lib/flows/installation/backup/read-backups";
import { runNextBackup } from "#lib/flows/installation/backup/run-backups";
import { startDatabase } from "#lib/installation/database";
import { useDatabase } from "#tests/support/database";
import { type S3Server, startS3Server } from "#tests/support/s3-server";
import { makeWorkspace } from "#tests/support/webhooks";

// Tried here: a stored backup's proof behind PgBouncer whose [databases] names one. "no such database: signalbox_proof_…"

const database = useDatabase();
const running = new AbortController().signal;
let pooler: Server;
let s3: S3Server;

/** A session pooler that knows one database, and refuses others as PgBouncer does. */
function startPooler(): Promise<Server> {
  const { hostname, port, pathname } = new URL(database.url());
  const server = createServer((socket) => {
    socket.once("data", (startup) => {
      const words = startup.subarray(8).toString().split("\0");
      const asked = words[words.indexOf("database") + 1];
      if (`/${asked}` !== pathname) return void socket.end(fatal(`no such database: ${asked}`));
      const upstream = connect(Number(port), hostname);
      upstream.write(startup);
      socket.pipe(upstream).pipe(socket);
      socket.on("error", () => upstream.destroy());
      upstream.on("error", () => socket.destroy());
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** ErrorResponse: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function fatal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

beforeAll(async () => {
  s3 = await startS3Server();
  pooler = await startPooler();
  const url = new URL(database.url());
  url.port = String((pooler.address() as AddressInfo).port);
  await closePools();
  resetEnv({ DATABASE_URL: url.href, BACKUP_DIR: "", BACKUP_PROVE_EVERY: "7d", ...s3.environment });
  await makeWorkspace();
  await runNextBackup("worker", running);
});
afterAll(async () => {
  await closePools();
  pooler.close();
  await s3.close();
});

it("behind a pooler with named databases, a backup is proved over DATABASE_DIRECT_URL", async () => {
  expect(env().directUrl).toBe(env().DATABASE_URL);
  resetEnv({ DATABASE_DIRECT_URL: database.url() });
  expect(await proveNext("worker", running)).toBe(true);
  expect(await readProofStatus()).toMatchObject({ provedAt: expect.anything(), failure: null });
});

it("a direct address of the same database is taken, of another one refused before anything is changed", async () => {
  resetEnv({ DATABASE_URL: database.url(), DATABASE_DIRECT_URL: `${database.url()}?application_name=direct` });
  expect(await startDatabase()).toBeNull();
  const other = new URL(database.url());
  other.pathname = "/postgres";
  resetEnv({ DATABASE_DIRECT_URL: other.href });
  await expect(startDatabase()).rejects.toThrow(
    /^DATABASE_DIRECT_URL leads to another database than DATABASE_URL: .* Nothing was changed\./,
  );
});
