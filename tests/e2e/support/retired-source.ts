import { randomUUID } from "node:crypto";
import { queryInstallation } from "./installation-database.ts";
import { signBody } from "./post-webhook.ts";
import { callApi } from "./session.ts";

/** A source whose sender signs on with a secret that was replaced. */
export type RetiredSource = { id: string; name: string; secretId: string; sign: (body: string) => string };

/** Adds a source and replaces its secret at once. */
export async function addRetiredSource(name: string): Promise<RetiredSource> {
  const secret = `the first secret of ${name}`;
  type Created = { id: string; secrets: { id: string }[] };
  const { id, secrets } = await callApi<Created>("/api/v1/sources", { name, template: "platform", secret });
  await callApi(`/api/v1/sources/${id}/rotate`, { overlapHours: 0 });
  return { id, name, secretId: secrets[0]?.id ?? "", sign: (body) => signBody(body, secret) };
}

const MINUTES = 6;

/**
 * Requests of the source that were rejected within the last minutes, straight into the installation's database: over
 * HTTP an address is kept 200 a minute. `rejected` counts those that were not kept, too. The last whole minute has none: what
 * the test sent before is counted in it once a minute has passed.
 */
export async function refuseMany({ id, sign: signed }: Pick<RetiredSource, "id" | "sign">, kept: number, rejected: number): Promise<void> {
  const run = randomUUID().slice(0, 8);
  const requests = Array.from({ length: kept }, (_, n) => {
    const data = { documentId: `doc_${run}_${n % 400}`, fileName: `Invoice ${n % 400}.pdf` };
    const body = JSON.stringify({ id: `evt_${run}_${n}`, type: "document.uploaded", created: 1_760_000_000 + n, data });
    return [`qtn_${run}_${n}`, body, signed(body)];
  });
  await queryInstallation(
    `WITH place AS (SELECT id, workspace_id FROM sources WHERE id = $1), counted AS (
       INSERT INTO rejection_minutes (source_id, minute, workspace_id, rejected, kept)
       SELECT id, date_trunc('minute', now()) - (m + 1) * interval '1 minute', workspace_id, $4::int / $3, $5::int / $3 FROM place, generate_series(1, $3) m)
     INSERT INTO quarantine (id, workspace_id, source_id, received_at, reason, detail, verified, body, body_bytes, headers, remote_address, reads_as_event)
     SELECT r->>0, workspace_id, id, date_trunc('minute', now()) - (($3 + 1) * interval '1 minute') + (n - 1) * ($3 * interval '1 minute') / $5::int, 'signature_mismatch',
       'The signature does not match the body.', false, convert_to(r->>1, 'UTF8'), octet_length(convert_to(r->>1, 'UTF8')),
       jsonb_build_object('content-type', 'application/json', 'x-webhook-signature', r->>2), '198.51.100.' || 10 + n % 2, true
       FROM place, jsonb_array_elements($2::jsonb) WITH ORDINALITY AS t (r, n)`,
    [id, JSON.stringify(requests), MINUTES, rejected, kept],
  );
}
