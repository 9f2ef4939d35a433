import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import type { SourceId } from "#lib/contracts/api/ids";
import type { AcceptAgainBody, AcceptedAgain } from "#lib/contracts/sources/accept-again";
import { notifyOnCommit } from "#lib/db/notify/notify";
import { inTransaction, pool } from "#lib/db/pool";
import { moveSecretEnd } from "#lib/sources/source-secret-store";
import { requestRelease } from "./release-in-background.ts";

const HOUR_MS = 3_600_000;

/** Accepts a retired secret again and releases what was signed with it: both or neither. @throws AppError `not_found`, `conflict` */
export async function acceptAgain(
  actor: Actor,
  source: SourceId,
  { secret, hours, release }: AcceptAgainBody,
  now: Date,
  audit: Audit,
): Promise<AcceptedAgain> {
  const { workspaceId } = actor;
  const until = new Date(now.getTime() + hours * HOUR_MS);
  const { operation, endsAt, notifyHere } = await inTransaction(pool(), async (client) => {
    const { sourceName: name, endedBefore, endsAt } = await moveSecretEnd(client, workspaceId, source, { secretId: secret, until, now });
    // By its secret and not by its diagnosis, which changes as soon as the secret is accepted.
    const started = release ? await requestRelease(actor, { filter: { source: name, about: secret } }, now, audit, client) : null;
    const [before, after] = [
      { secret, endsAt: endedBefore },
      { secret, endsAt, ...(started && { released: started.id }) },
    ];
    const action = hours === 0 ? "secret.ended" : "secret.accepted_again";
    await audit.record({ action, target: { kind: "source", id: source, name }, before, after }, client);
    return { operation: started, endsAt, notifyHere: await notifyOnCommit(client, "sources", workspaceId) };
  });
  notifyHere();
  return { validUntil: endsAt.toISOString(), operation };
}
