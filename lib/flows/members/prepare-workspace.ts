import { insertOnlySetupLink, insertSetupLink } from "#lib/auth/members/setup-link-store";
import { findFirstWorkspace } from "#lib/auth/members/user-store";
import { hashPassword, passwordProblem } from "#lib/auth/sign-in/password";
import { EnvError, env } from "#lib/config/env";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { createOwner } from "./complete-setup.ts";
import { provisionWorkspace } from "./provision-workspace.ts";

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
