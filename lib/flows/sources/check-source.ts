import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { CheckSourceBody, SourceCheck } from "#lib/contracts/sources/sources";
import { pool } from "#lib/db/pool";
import { readSource } from "#lib/ingest/source-lookup-store";
import { diagnoseScheme } from "#lib/platform/diagnosis/scheme-diagnosis";
import { readEvents } from "#lib/platform/reading/read-event";
import { requestUrl } from "#lib/platform/schemes/kept-request";
import { listSources } from "#lib/sources/source-store";

/** Returns the receiver's answer to a request with the source's present secrets, and stores nothing. @throws AppError `not_found` */
export async function checkSource(workspaceId: WorkspaceId, sourceId: SourceId, sent: CheckSourceBody, now: Date): Promise<SourceCheck> {
  const name = (await listSources(workspaceId)).find(({ id }) => id === sourceId)?.name;
  const source = name === undefined ? null : await readSource(pool("receiver"), name);
  if (name === undefined || source === null) throw new AppError("not_found", "There is no source with that ID that receives webhooks.");
  const body = sent.bodyBase64 === undefined ? Buffer.from(sent.body ?? "") : Buffer.from(sent.bodyBase64, "base64");
  const headers = Object.fromEntries(Object.entries(sent.headers).map(([header, value]) => [header.toLowerCase(), value]));
  const request = { body, headers, url: requestUrl(env().WEBHOOK_URL, name, sent.query), remoteAddress: null };
  const verified = source.scheme.verify(request, source.secrets, now.getTime());
  if (verified.outcome !== "verified") {
    const secrets = source.secrets.map(({ id, value }) => ({ id, value, state: "valid" as const, source: name, endedAt: null }));
    const { template, scheme } = source;
    const { verdict, fix } = diagnoseScheme({ request, cut: false, template, scheme, secrets, receivedAt: now.getTime() });
    return { status: verified.outcome === "certificate_unknown" ? 503 : 401, verdict, fix, event: null };
  }
  const signed = verified.signed === undefined ? body : Buffer.from(verified.signed);
  const reading = readEvents({ body: signed, headers, query: sent.query, receivedAt: now }, source.reading);
  if (reading.outcome !== "events")
    return {
      status: 202,
      verdict: "The signature is valid, but the request is not an event.",
      fix: `Signalbox would quarantine it. ${reading.detail}`,
      event: null,
    };
  const [first] = reading.events;
  const stored = reading.events.length === 1 ? "an event" : `${reading.events.length} events`;
  const event = first ? { id: first.envelope.id, type: first.envelope.type, created: first.envelope.created } : null;
  return { status: 200, verdict: "The signature is valid.", fix: `Signalbox would store it as ${stored}.`, event };
}
