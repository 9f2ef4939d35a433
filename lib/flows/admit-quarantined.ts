import type { WorkspaceId } from "#lib/contracts/ids";
import type { AdmitResult } from "#lib/contracts/quarantine";
import { notifySoon } from "#lib/db/notify";
import { pool } from "#lib/db/pool";
import { appendEvents } from "#lib/events/log-store";
import { findQuarantined, markAdmitted } from "#lib/events/quarantine-store";
import { readSource } from "#lib/events/source-lookup-store";
import { readEnvelope } from "#lib/platform/envelope";
import { describeType } from "#lib/platform/event-catalogue";
import { SIGNATURE_HEADER, verifySignature } from "#lib/platform/signature";

const refused = (reason: string): AdmitResult => ({ admitted: false, eventId: null, reason });

/**
 * Verifies a refused request again, with the secrets of today, and stores its
 * event when it passes. Never admits on a guess: what does not verify stays.
 *
 * @returns null when the workspace has none of that id
 */
export async function admitQuarantined(workspaceId: WorkspaceId, id: string, by: string): Promise<AdmitResult | null> {
  const entry = await findQuarantined(workspaceId, id);
  if (!entry) return null;
  if (entry.admittedAt) return refused("It was admitted before.");
  if (entry.body.length !== entry.bodyBytes)
    return refused("Only the beginning of the body was kept, so it can't be verified. Let the platform send it again.");
  const source = await readSource(entry.sourceName);
  if (!source) return refused("Its source is not there any more.");
  const verification = verifySignature(entry.body, entry.headers[SIGNATURE_HEADER], source.secrets);
  if (verification.outcome !== "verified") return refused("It still does not verify with this source's secrets.");
  const reading = readEnvelope(entry.body);
  if (reading.outcome !== "envelope") return refused(`It is signed rightly, but is not an event. ${reading.detail}`);
  const { id: eventId, type, created } = reading.envelope;
  const [receipt] = await appendEvents(pool(), [
    {
      workspaceId,
      sourceId: entry.sourceId,
      eventId,
      type,
      created,
      recognised: describeType(type) !== null,
      signatureForm: "admitted",
      secretId: verification.secretId,
      body: entry.body,
      headers: entry.headers,
      remoteAddress: entry.remoteAddress,
      receivedAt: new Date(),
    },
  ]);
  await markAdmitted(workspaceId, id, by);
  notifySoon(pool(), "appended", workspaceId);
  return { admitted: true, eventId, reason: receipt?.outcome === "stored" ? null : "The log had this event already." };
}
