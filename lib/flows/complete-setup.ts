import { hashPassword, passwordProblem } from "#lib/auth/password";
import { claimSetupLink, findSetupLinkState } from "#lib/auth/setup-link-store";
import { hasUsers, insertFirstOwner } from "#lib/auth/user-store";
import { env } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { SetupBody, SetupState } from "#lib/contracts/setup";
import { hashToken } from "#lib/vault/opaque-token";
import { furnishWorkspace } from "./furnish-workspace.ts";

export type SetupOutcome =
  | { outcome: "created"; workspaceId: WorkspaceId }
  | { outcome: "weak_password"; words: string }
  | { outcome: "link_refused"; state: Exclude<SetupState, "open"> };

/** What a set-up link is worth now, for the page that it opens. */
export async function findSetupState(token: string, now = new Date()): Promise<SetupState> {
  if (await hasUsers()) return "done";
  return findSetupLinkState(hashToken(token), now);
}

/**
 * First run: the link's owner becomes the owner of the first workspace, which
 * gets its source and its API key. A password that is refused does not use the
 * link up; of two set-ups at once one wins.
 */
export async function completeSetup(body: SetupBody, now = new Date()): Promise<SetupOutcome> {
  const state = await findSetupState(body.token, now);
  if (state !== "open") return { outcome: "link_refused", state };
  const words = passwordProblem(body.password, body.email);
  if (words) return { outcome: "weak_password", words };
  const passwordHash = await hashPassword(body.password);
  if (!(await claimSetupLink(hashToken(body.token), now))) return { outcome: "link_refused", state: "used" };
  return createOwner({ ...body, passwordHash });
}

type NewOwner = Pick<SetupBody, "email" | "name" | "workspaceName"> & { passwordHash: string };

/** Creates the first owner and furnishes the workspace; also for OWNER_EMAIL. */
export async function createOwner({ email, name, workspaceName, passwordHash }: NewOwner): Promise<SetupOutcome> {
  const title = workspaceName || `${name || email.split("@")[0]}'s workspace`;
  const made = await insertFirstOwner({ email, name: name || null, passwordHash, workspaceName: title });
  if (!made) return { outcome: "link_refused", state: "done" };
  await furnishWorkspace(made.workspaceId, env());
  return { outcome: "created", workspaceId: made.workspaceId };
}
