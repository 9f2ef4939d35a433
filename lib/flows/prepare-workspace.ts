import { hashPassword } from "#lib/auth/password";
import { insertSetupLink } from "#lib/auth/setup-link-store";
import { findFirstWorkspace } from "#lib/auth/user-store";
import { env } from "#lib/config/env";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { createOwner } from "./complete-setup.ts";
import { furnishWorkspace } from "./furnish-workspace.ts";

/**
 * Runs at every start, before the doors open. With an owner: sees that the
 * first workspace has the source and the API key of the environment. Without:
 * creates the owner of OWNER_EMAIL, or makes a one-time link for a person to.
 *
 * @returns the link to print, good for 24 hours; null when there is an owner
 */
export async function prepareWorkspace(now = new Date()): Promise<{ setupUrl: string | null }> {
  const { APP_URL, OWNER_EMAIL, OWNER_PASSWORD } = env();
  const workspaceId = await findFirstWorkspace();
  if (workspaceId) {
    await furnishWorkspace(workspaceId, env());
    return { setupUrl: null };
  }
  if (OWNER_EMAIL && OWNER_PASSWORD) {
    await createOwner({ email: OWNER_EMAIL, passwordHash: await hashPassword(OWNER_PASSWORD) });
    return { setupUrl: null };
  }
  const token = newToken();
  await insertSetupLink(hashToken(token), now);
  return { setupUrl: `${APP_URL}/setup?token=${token}` };
}
