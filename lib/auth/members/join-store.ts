import type pg from "pg";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { forgetBrowsers } from "#lib/auth/sessions/rotation-store";
import { newId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { claimInvitation, type FoundInvitation } from "./invitation-store.ts";
import { insertMembership } from "./workspace-store.ts";

type OpenInvitation = Extract<FoundInvitation, { state: "open" }>;
type NewPerson = { email: string; name: string | null; passwordHash: string };

/**
 * Makes the invitation's bearer a member: claim, account, membership and audit
 * entry together or not at all.
 *
 * @param person somebody with an account, or a new account
 */
export async function joinWorkspace(
  invitation: OpenInvitation,
  person: { userId: string; email: string } | NewPerson,
  now: Date,
): Promise<{ outcome: "joined"; userId: string } | { outcome: "used" | "known_email" | "member_already" }> {
  const { workspaceId, id, role, createdBy } = invitation;
  let userId = "userId" in person ? person.userId : newId("usr");
  const failed = (outcome: "used" | "known_email" | "member_already") => Object.assign(new Error(outcome), { outcome });
  try {
    await inTransaction(pool(), async (client) => {
      if (!(await claimInvitation(client, id, now))) throw failed("used");
      if (!("userId" in person)) {
        const account = await makeAccount(client, userId, person, invitation.email === person.email);
        if (account === null) throw failed("known_email");
        userId = account;
      }
      if (!(await insertMembership(client, workspaceId, userId, role))) throw failed("member_already");
      const who = { kind: "person", id: userId, name: person.email, credential: null } as const;
      const target = { kind: "member", id: userId, name: person.email };
      await insertAudit(
        workspaceId,
        { action: "member.joined", who, target, after: { role, invitation: id, invitedBy: createdBy } },
        client,
      );
    });
  } catch (error) {
    const { outcome } = error as { outcome?: "used" | "known_email" | "member_already" };
    if (outcome) return { outcome };
    throw error;
  }
  return { outcome: "joined", userId };
}

/**
 * Makes an account, or gives the one of that address a new password: only where it is a member of no workspace (its
 * owner was removed, for example after a forgotten password) and the invite names the address.
 *
 * @returns the account's id; null when somebody has it
 */
async function makeAccount(
  client: pg.PoolClient,
  newUserId: string,
  { email, name, passwordHash }: NewPerson,
  named: boolean,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO users AS u (id, email, name, password_hash) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO UPDATE SET name = coalesce(excluded.name, u.name), password_hash = excluded.password_hash
       WHERE $5 AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id) RETURNING id`,
    [newUserId, email, name, passwordHash, named],
  );
  const [account] = rows;
  if (account && account.id !== newUserId) await forgetBrowsers(client, account.id);
  return account?.id ?? null;
}
