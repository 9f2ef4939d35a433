import type { Actor } from "#lib/auth/actor";
import { AppError } from "#lib/contracts/app-error";
import { hashToken } from "#lib/vault/opaque-token";
import { open, type SealContext, seal } from "#lib/vault/vault";
import { claimRequest, markAnswered, releaseRequest } from "./idempotency-store.ts";

/** A request that may come twice: who sent it, to where, with which key and body. */
type Repeatable = { actor: Actor; route: string; key: string; bodyText: string };

/**
 * Answers a request that carries an Idempotency-Key
 * (draft-ietf-httpapi-idempotency-key-header-06). The first is worked on; the
 * same again within 24 hours gets the same answer and does nothing. Answers
 * may hold a secret that is shown once, so they are kept sealed. A request
 * that fails gives its key back.
 *
 * @throws AppError `idempotency_mismatch` for another body, `idempotency_in_progress` while the first is worked on
 */
export async function onlyOnce({ actor, route, key, bodyText }: Repeatable, work: () => Promise<Response>): Promise<Response> {
  const { workspaceId } = actor;
  const id = hashToken(JSON.stringify([workspaceId, actor.by.kind === "key" ? actor.by.keyId : actor.by.userId, route, key]));
  const place = { workspaceId, table: "idempotency_keys", row: id, field: "answer" };
  const requestHash = hashToken(bodyText);
  const kept = await claimRequest(workspaceId, id, requestHash);
  if (kept) return replay(kept, requestHash, place);
  try {
    const response = await work();
    if (!response.ok) await releaseRequest(workspaceId, id);
    else {
      const answer = JSON.stringify({ type: response.headers.get("content-type"), body: await response.clone().text() });
      await markAnswered(workspaceId, id, { status: response.status, ...(await seal(answer, place)) });
    }
    return response;
  } catch (error) {
    await releaseRequest(workspaceId, id);
    throw error;
  }
}

async function replay(
  kept: NonNullable<Awaited<ReturnType<typeof claimRequest>>>,
  requestHash: string,
  place: SealContext,
): Promise<Response> {
  if (kept.requestHash !== requestHash)
    throw new AppError("idempotency_mismatch", "This key was used for another body. Take a new key for a new request.");
  if (kept.status === null || kept.answerSealed === null)
    throw new AppError("idempotency_in_progress", "The first request with this key is not answered yet. Try again in a few seconds.");
  const { type, body } = JSON.parse(await open(kept.answerSealed, place)) as { type: string | null; body: string };
  const headers = { "cache-control": "no-store", "idempotency-replayed": "true", ...(type && { "content-type": type }) };
  return new Response(kept.status === 204 ? null : body, { status: kept.status, headers });
}

/**
 * The request's Idempotency-Key; null when it has none.
 *
 * @throws AppError `invalid_request` when it is empty, too long or not printable
 */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || request.method !== "POST") return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new AppError("invalid_request", "Idempotency-Key: send 1 to 200 printable characters without a blank.");
  return key;
}
