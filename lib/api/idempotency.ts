import { core } from "zod/mini";
import { type Actor, callerIdOf } from "#lib/auth/actor";
import { AppError, isAppError } from "#lib/contracts/api/app-error";
import { logger } from "#lib/observability/logger";
import { hashToken } from "#lib/vault/opaque-token";
import { open, type SealContext, seal } from "#lib/vault/vault";
import { claimRequest, type KeptRequest, markAnswered, markCarriedOut, releaseRequest } from "./idempotency-store.ts";

type Repeatable = { actor: Actor; route: string; key: string; bodyText: string };

/** Status of a request whose outcome is unknown. */
const OUTCOME_UNKNOWN = 0;
/** A larger answer is not kept. Bytes. */
const MAX_ANSWER = 262_144;

/**
 * Answers a request that carries an Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-06). A repeat within 24 hours gets the
 * same answer and does nothing. Answers may hold a secret that is shown once, so they are kept sealed.
 * Work never runs twice under one key: only a request that did nothing releases it. If the answer can't be kept, or the outcome is
 * unknown, repeats get an error. `work` calls `changed` as soon as the change is made: a later failure doesn't release the key.
 * @throws AppError `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_answer_lost`, `idempotency_outcome_unknown`
 */
export async function onlyOnce(
  { actor, route, key, bodyText }: Repeatable,
  work: (changed: () => void) => Promise<Response>,
): Promise<Response> {
  const { workspaceId } = actor;
  const id = hashToken(JSON.stringify([workspaceId, callerIdOf(actor), route, key]));
  const place = { workspaceId, table: "idempotency_keys", row: id, field: "answer" };
  const requestHash = hashToken(bodyText);
  const kept = await claimRequest(workspaceId, id, requestHash);
  if (kept) return replay(kept, requestHash, place);
  let done = false;
  try {
    const response = await work(() => {
      done = true;
    });
    if (response.ok) await keepAnswer(response.clone(), place);
    else await releaseRequest(workspaceId, id);
    return response;
  } catch (error) {
    if (done) await mark(place, 500);
    else if (isRejection(error)) await releaseRequest(workspaceId, id).catch(noteUnmarked);
    else await mark(place, OUTCOME_UNKNOWN);
    throw error;
  }
}

/** True if the request was rejected, so that it did nothing. After any other error a part may have been done. */
const isRejection = (error: unknown): boolean => error instanceof core.$ZodError || (isAppError(error) && error.status < 500);

/** Never throws: the sender of the first request gets the answer, kept or not. */
async function keepAnswer(response: Response, place: SealContext & { workspaceId: Actor["workspaceId"] }): Promise<void> {
  try {
    const body = await response.text();
    if (body.length > MAX_ANSWER) return await mark(place, response.status);
    const answer = JSON.stringify({ type: response.headers.get("content-type"), body });
    await markAnswered(place.workspaceId, place.row, { status: response.status, ...(await seal(answer, place)) });
  } catch (error) {
    logger().error({ err: error }, "could not store the response to a request with an Idempotency-Key");
    await mark(place, response.status);
  }
}

/** If this fails too the claim stays, and repeats are told that the outcome is unknown. */
async function mark({ workspaceId, row }: SealContext & { workspaceId: Actor["workspaceId"] }, status: number): Promise<void> {
  await markCarriedOut(workspaceId, row, status).catch(noteUnmarked);
}

const noteUnmarked = (error: unknown) =>
  logger().error({ err: error }, "could not record the outcome of a request with an Idempotency-Key");

async function replay(kept: KeptRequest, requestHash: string, place: SealContext): Promise<Response> {
  if (kept.requestHash !== requestHash)
    throw new AppError("idempotency_mismatch", "This key was already used with a different request body. Use a new key for a new request.");
  if (kept.status === OUTCOME_UNKNOWN || kept.abandoned) throw outcomeUnknown();
  if (kept.status === null) throw inProgress();
  const answer = kept.answerSealed === null ? null : await open(kept.answerSealed, place).catch(() => null);
  if (answer === null) throw answerLost();
  const { type, body } = JSON.parse(answer) as { type: string | null; body: string };
  const headers = { "cache-control": "no-store", "idempotency-replayed": "true", ...(type && { "content-type": type }) };
  return new Response(kept.status === 204 ? null : body, { status: kept.status, headers });
}

const inProgress = () =>
  new AppError("idempotency_in_progress", "The first request with this key is still running. Try again in a few seconds.", {
    retryAfterSeconds: 5,
  });

const outcomeUnknown = () =>
  new AppError(
    "idempotency_outcome_unknown",
    "The first request with this key was interrupted and may or may not have taken effect. Check whether it did; if not, send it again with a new key.",
  );

const answerLost = () =>
  new AppError(
    "idempotency_answer_lost",
    "The first request with this key succeeded and was not repeated. Read what it created; a secret that is shown once can't be shown again.",
  );

/** Returns the request's Idempotency-Key. @throws AppError `invalid_request` if it is empty, too long or not printable */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || request.method !== "POST") return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new AppError("invalid_request", "Idempotency-Key: must be 1 to 200 printable characters without spaces.");
  return key;
}
