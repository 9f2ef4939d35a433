import { ensureApiKey } from "#lib/auth/api-key-store";
import { insertAudit } from "#lib/auth/audit/audit-store";
import {
  claimSetupLink,
  findFirstWorkspace,
  findSetupLinkState,
  hasUsers,
  insertFirstOwner,
  insertOnlySetupLink,
  insertSetupLink,
} from "#lib/auth/members/user-store";
import { hashPassword, passwordProblem } from "#lib/auth/sign-in/password";
import { type Env, EnvError, env } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SetupBody, SetupState } from "#lib/contracts/auth/setup";
import { type EnsureOptions, ensureSource } from "#lib/sources/source-store";
import { hashToken, newToken } from "#lib/vault/opaque-token";

/** Starts that make a set-up link: every one (a person at a terminal), the first of several alone, or none. */
type SetupLinks = "each" | "first" | "none";

type PrepareOptions = { now: Date; secretGiven?: boolean; links?: SetupLinks };

/** Provisions the first workspace at every start or, without an owner, creates that of OWNER_EMAIL or a set-up link (good for 24 hours).
 * @param secretGiven false for a generated WEBHOOK_SECRET, which never replaces the secret of a source */
export async function prepareWorkspace({ now, secretGiven = true, links = "each" }: PrepareOptions): Promise<{ setupUrl: string | null }> {
  const { APP_URL, OWNER_EMAIL, OWNER_PASSWORD } = env();
  const workspaceId = await findFirstWorkspace();
  if (workspaceId) {
    await provisionWorkspace(workspaceId, env(), secretGiven, now);
    return { setupUrl: null };
  }
  if (OWNER_EMAIL && OWNER_PASSWORD) {
    const words = passwordProblem(OWNER_PASSWORD, OWNER_EMAIL);
    if (words) throw new EnvError(`OWNER_PASSWORD: ${words}`);
    await createOwner({ email: OWNER_EMAIL, passwordHash: await hashPassword(OWNER_PASSWORD) }, now);
    return { setupUrl: null };
  }
  if (links === "none") return { setupUrl: null };
  const token = newToken();
  if (links === "each") await insertSetupLink(hashToken(token), now);
  else if (!(await insertOnlySetupLink(hashToken(token), now))) return { setupUrl: null };
  return { setupUrl: `${APP_URL}/setup?token=${token}` };
}

type SetupOutcome =
  | { outcome: "created"; workspaceId: WorkspaceId }
  | { outcome: "weak_password"; words: string }
  | { outcome: "link_rejected"; state: Exclude<SetupState, "open"> };

export async function findSetupState(token: string, now: Date): Promise<SetupState> {
  if (await hasUsers()) return "done";
  return findSetupLinkState(hashToken(token), now);
}

/** Creates the first owner and workspace. A rejected password does not use the link up; of two set-ups at once one wins. */
export async function completeSetup(body: SetupBody, now: Date): Promise<SetupOutcome> {
  const state = await findSetupState(body.token, now);
  if (state !== "open") return { outcome: "link_rejected", state };
  const words = passwordProblem(body.password, body.email);
  if (words) return { outcome: "weak_password", words };
  const passwordHash = await hashPassword(body.password);
  if (!(await claimSetupLink(hashToken(body.token), now))) return { outcome: "link_rejected", state: "used" };
  return createOwner({ ...body, passwordHash }, now);
}

type NewOwner = Pick<SetupBody, "email" | "name" | "workspaceName"> & { passwordHash: string };

async function createOwner({ email, name, workspaceName, passwordHash }: NewOwner, now: Date): Promise<SetupOutcome> {
  const title = workspaceName || `${name || email.split("@")[0]}'s workspace`;
  const made = await insertFirstOwner({ email, name: name || null, passwordHash, workspaceName: title });
  if (!made) return { outcome: "link_rejected", state: "done" };
  await provisionWorkspace(made.workspaceId, env(), false, now); // its source has no secret yet: either way it gets this one
  return { outcome: "created", workspaceId: made.workspaceId };
}

const START = { kind: "system", id: null, name: "Startup", credential: null } as const;

/** Gives the first workspace the environment's source and API key.
 * @param secretGiven false for a generated WEBHOOK_SECRET: it never replaces a secret */
export async function provisionWorkspace(workspaceId: WorkspaceId, env: Env, secretGiven: boolean, now: Date): Promise<void> {
  const { WEBHOOK_SOURCE, WEBHOOK_SECRET, INIT_API_KEY } = env;
  const onAdded = recordAdded(workspaceId);
  await ensureSource(workspaceId, WEBHOOK_SOURCE, secretGiven ? WEBHOOK_SECRET : undefined, { first: WEBHOOK_SECRET, onAdded, now });
  const keyId = INIT_API_KEY ? await ensureApiKey(workspaceId, INIT_API_KEY) : null;
  if (keyId === null) return;
  const target = { kind: "key", id: keyId, name: "INIT_API_KEY" };
  await insertAudit(workspaceId, { action: "key.created", who: START, target, after: { role: "admin" } });
}

const recordAdded =
  (workspaceId: WorkspaceId): NonNullable<EnsureOptions["onAdded"]> =>
  ({ id, sourceId, sourceName, previousValidUntil }, client) =>
    insertAudit(
      workspaceId,
      {
        action: "secret.added",
        who: START,
        target: { kind: "source", id: sourceId, name: sourceName },
        after: { id, previousValidUntil },
      },
      client,
    );
