import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { CLIENT_HEADERS } from "#lib/forwarding/attempt/outgoing-request";
import { TargetConnection } from "#lib/forwarding/attempt/send-attempt";
import { readTargetUrl } from "#lib/forwarding/check-target";
import { logger } from "#lib/observability/logger";
import { keySetText } from "#lib/platform/schemes/jwt";
import { keyOf } from "#lib/platform/schemes/senders/sns";
import { type ClaimedFetch, claimFetches, deleteFetch, isLastTry, putKeySet } from "#lib/sources/sender-fetch-store";
import { addCertificate } from "#lib/sources/source-store";
import { systemClock } from "#lib/time/clock";

type Fetched = { status: number; text: string };
export type FetchUrl = (url: string, signal: AbortSignal) => Promise<Fetched>;

/** Fetches certificates, keys and confirmation URLs that the receiver requested: never within a stranger's request, only from the sender. */
export async function fetchForSenders(signal: AbortSignal, get: FetchUrl = getChecked): Promise<void> {
  for (const fetch of await claimFetches()) if (!signal.aborted) await fetchOne(fetch, signal, get);
}

async function fetchOne(fetch: ClaimedFetch, signal: AbortSignal, get: FetchUrl): Promise<void> {
  const { id, workspaceId, sourceId, kind, url, tries } = fetch;
  const about = { workspaceId, sourceId, kind, host: URL.parse(url)?.host };
  try {
    const { status, text } = await get(url, signal);
    if (status !== 200) throw new Error(`answered ${status}`);
    if (kind === "certificate") await keepCertificate(fetch, text, new Date(systemClock.now()));
    else await deleteFetch(pool("worker"), id);
    logger().info(about, kind === "certificate" ? "fetched a sender's certificate" : "confirmed a subscription at the sender");
  } catch (error) {
    const givenUp = isLastTry(fetch);
    if (givenUp) await deleteFetch(pool("worker"), id);
    logger().warn({ ...about, tries, givenUp, reason: (error as Error).message }, "couldn't fetch from a sender");
  }
}

async function keepCertificate({ id, workspaceId, sourceId, url }: ClaimedFetch, text: string, now: Date): Promise<void> {
  const isKeySet = text.trimStart().startsWith("{");
  const kept = isKeySet ? keySetText(url, text, now) : `${url}\n${text}`;
  if (!isKeySet && keyOf(text, now.getTime()) === null) throw new Error("returned no certificate that is valid now");
  await inTransaction(pool("worker"), async (client) => {
    if (isKeySet) await putKeySet(client, { workspaceId, sourceId, url, text: kept }, now);
    else await addCertificate(client, workspaceId, sourceId, kept, now);
    await deleteFetch(client, id);
    await notifyOnCommit(client, "sources", workspaceId);
  });
}

async function getChecked(url: string, signal: AbortSignal): Promise<Fetched> {
  const read = readTargetUrl(url);
  if (!read.ok) throw new Error(read.reason);
  const connection = new TargetConnection(read.target);
  try {
    const { status, body } = await connection.get(read.target.path, CLIENT_HEADERS, signal);
    return { status, text: body.toString() };
  } finally {
    connection.close();
  }
}
