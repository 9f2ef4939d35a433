import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { DestinationTest } from "#lib/contracts/forwarding/destinations";
import { readValidSecrets } from "#lib/flows/sources/read-valid-secrets";
import { fixOf } from "#lib/forwarding/attempt/outcomes";
import { requestHeaders } from "#lib/forwarding/attempt/request-headers";
import { type AttemptResult, sendAttempt } from "#lib/forwarding/attempt/send-attempt";
import { TargetConnection } from "#lib/forwarding/attempt/target-connection";
import { openSigningSecrets } from "#lib/forwarding/destination-secret-store";
import { findDestination, type StoredDestination } from "#lib/forwarding/destination-store";
import { readTargetUrl } from "#lib/forwarding/target/target-url";
import { SIGNATURE_HEADER, signBody } from "#lib/platform/signature";
import { listSources } from "#lib/sources/source-store";
import { bytesOf } from "./read-deliveries.ts";

const TYPE = "document.processed";

/**
 * Sends a made-up event to a destination, the way a delivery goes, and waits for
 * the answer. It is neither stored nor counted, and is sent in any state.
 *
 * @throws AppError `not_found`
 */
export async function testDestination(actor: Actor, id: string, now: Date, audit: Audit): Promise<DestinationTest> {
  const destination = await findDestination(actor.workspaceId, id);
  if (!destination) throw new AppError("not_found", "There is no such destination.");
  const result = await send(actor.workspaceId, destination, now);
  await audit.record({
    action: "destination.tested",
    target: { kind: "destination", id, name: destination.name },
    after: { outcome: result.outcome },
  });
  return testOf(destination.url, result);
}

async function send(workspaceId: WorkspaceId, { id, url, mode, sourceIds }: StoredDestination, now: Date): Promise<AttemptResult> {
  const read = readTargetUrl(url);
  if (!read.ok) throw new AppError("conflict", read.reason);
  const eventId = newId("evt_test");
  const body = Buffer.from(
    JSON.stringify({
      id: eventId,
      type: TYPE,
      created: Math.floor(now.getTime() / 1000),
      data: { documentId: "doc_test", status: "completed", test: true },
    }),
  );
  const platformSignature = mode === "pass_through" ? await platformSignatureOf(workspaceId, sourceIds, body) : {};
  const event = {
    ...{ deliveryId: "dlv_test", number: 1, sourceId: "test", eventId, type: TYPE, body },
    headers: { "content-type": "application/json", ...platformSignature },
  };
  const secrets = mode === "signed" ? await openSigningSecrets(workspaceId, id) : [];
  const connection = new TargetConnection(read.target);
  try {
    const headers = requestHeaders(event, mode, secrets, now);
    const result = await sendAttempt(connection, { path: read.target.path, headers, body }, new AbortController().signal);
    if (!result) throw new Error("the test was given up");
    return result;
  } finally {
    connection.close();
  }
}

/** As the platform would sign it for the first of the destination's sources. */
async function platformSignatureOf(workspaceId: WorkspaceId, sourceIds: string[], body: Buffer): Promise<Record<string, string>> {
  const sources = await listSources(workspaceId);
  const source = sources.find(({ id }) => sourceIds.length === 0 || sourceIds.includes(id));
  const secrets = source && (await readValidSecrets(source.name));
  return secrets ? { [SIGNATURE_HEADER]: signBody(body, secrets[0]) } : {};
}

const testOf = (url: string, { at, outcome, detail, requestHeaders: headers, answer, totalMs }: AttemptResult): DestinationTest => ({
  at: at.toISOString(),
  outcome,
  detail,
  fix: fixOf(outcome),
  request: { method: "POST", url, headers },
  response: answer && { status: answer.status, headers: answer.headers, body: bytesOf(answer.body) },
  remoteAddress: answer?.remoteAddress ?? null,
  durations: {
    dns: answer?.dnsMs ?? null,
    connect: answer?.connectMs ?? null,
    tls: answer?.tlsMs ?? null,
    firstByte: answer?.firstByteMs ?? null,
    total: totalMs,
  },
});
