import { claimSetupLink, findSetupLinkState } from "#lib/auth/members/setup-link-store";
import { hasUsers, insertFirstOwner } from "#lib/auth/members/user-store";
import { hashPassword, passwordProblem } from "#lib/auth/sign-in/password";
import { env } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SetupBody, SetupState } from "#lib/contracts/auth/setup";
import { hashToken } from "#lib/vault/opaque-token";
import { provisionWorkspace } from "./provision-workspace.ts";

export type SetupOutcome =
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

export async function createOwner({ email, name, workspaceName, passwordHash }: NewOwner, now: Date): Promise<SetupOutcome> {
  const title = workspaceName || `${name || email.split("@")[0]}'s workspace`;
  const made = await insertFirstOwner({ email, name: name || null, passwordHash, workspaceName: title });
  if (!made) return { outcome: "link_rejected", state: "done" };
  await provisionWorkspace(made.workspaceId, env(), false, now); // its source has no secret yet: either way it gets this one
  return { outcome: "created", workspaceId: made.workspaceId };
}
