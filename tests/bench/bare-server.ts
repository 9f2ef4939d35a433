import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { GroupCommit } from "#lib/ingest/receiver-log";

// The limit: what any receiver on this machine could reach that stores a webhook
// durably before it answers, and does nothing else. Bare node:http, the
// signature, JSON.parse, and a grouped insert into one table with one unique
// key, in a process of its own.

type Order = { databaseUrl: string; secret: string };
type Webhook = { eventId: string; type: string; created: number; body: Buffer };

const INSERT = `INSERT INTO bare_events (event_id, type, created, body)
  SELECT u.event_id, u.type, u.created, substring($1::bytea FROM u.body_at + 1 FOR u.body_length)
  FROM unnest($2::text[], $3::text[], $4::bigint[], $5::int[], $6::int[]) AS u(event_id, type, created, body_at, body_length)
  ON CONFLICT DO NOTHING`;

process.once("message", async ({ databaseUrl, secret }: Order) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await pool.query(`CREATE TABLE IF NOT EXISTS bare_events (event_id text PRIMARY KEY, type text NOT NULL, created bigint NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(), body bytea NOT NULL)`);
  const commits = new GroupCommit<Webhook, true>({
    maxItems: 256,
    maxBytes: 8_388_608,
    maxWaitingBytes: 67_108_864,
    timeoutMs: () => 5000,
    isItemsFault: () => false,
    flush: (webhooks) => insert(pool, webhooks),
  });
  const server = serve(secret, (webhook) => commits.submit(webhook, webhook.body.length));
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once("disconnect", () => process.exit(0));

function serve(secret: string, store: (webhook: Webhook) => Promise<true>) {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const body = Buffer.concat(chunks);
      const given = Buffer.from(String(request.headers["x-webhook-signature"]), "hex");
      if (!timingSafeEqual(createHmac("sha256", secret).update(body).digest(), given)) return response.writeHead(401).end();
      const { id, type, created } = JSON.parse(body.toString()) as { id: string; type: string; created: number };
      await store({ eventId: id, type, created, body });
      const answer = JSON.stringify({ received: true, id, duplicate: false });
      return response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) }).end(answer);
    });
  });
}

async function insert(pool: pg.Pool, webhooks: Webhook[]): Promise<true[]> {
  let at = 0;
  const offsets = webhooks.map(({ body }) => {
    at += body.length;
    return at - body.length;
  });
  await pool.query({
    name: "insert",
    text: INSERT,
    values: [
      Buffer.concat(webhooks.map(({ body }) => body)),
      webhooks.map(({ eventId }) => eventId),
      webhooks.map(({ type }) => type),
      webhooks.map(({ created }) => created),
      offsets,
      webhooks.map(({ body }) => body.length),
    ],
  });
  return webhooks.map(() => true);
}
