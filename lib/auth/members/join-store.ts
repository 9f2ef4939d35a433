import type pg from "pg";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { deleteFactors } from "#lib/auth/factors/factor-store";
import { forgetBrowsers } from "#lib/auth/sessions/rotation-store";
import { newId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { claimInvitation, type FoundInvitation } from "./invitation-store.ts";
import { insertMembership } from "./workspace-store.ts";

type OpenInvitation = Extract<FoundInvitation, { state: "open" }>;
type NewPerson = { email: string; name: string | null; passwordHash: string };

/** Makes the bearer a member: claim, account, membership and audit entry in one transaction. */
export async function joinWorkspace(
  invitation: OpenInvitation,
  person: { userId: string; email: string } | NewPerson,
  now: Date,
): Promise<{ outcome: "joined"; userId: string } | { outcome: "used" | "known_email" | "member_already" }> {
  const { workspaceId, id, role, createdBy } = invitation;
  let userId = "userId" in person ? person.userId : newId("usr");
  let takenUp = false;
  const failed = (outcome: "used" | "known_email" | "member_already") => Object.assign(new Error(outcome), { outcome });
  try {
    await inTransaction(pool(), async (client) => {
      if (!(await claimInvitation(client, id, now))) throw failed("used");
      if (!("userId" in person)) {
        const account = await makeAccount(client, userId, person, invitation.email === person.email);
        if (account === null) throw failed("known_email");
        takenUp = account !== userId;
        userId = account;
      }
      if (!(await insertMembership(client, workspaceId, userId, role))) throw failed("member_already");
      const who = { kind: "person", id: userId, name: person.email, credential: null } as const;
      const target = { kind: "member", id: userId, name: person.email };
      await insertAudit(
        workspaceId,
        {
          action: "member.joined",
          who,
          target,
          after: { role, invitation: id, invitedBy: createdBy, ...(takenUp && { passwordReset: true }) },
        },
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

/** Makes an account, or resets one without any workspace if the invite names its address; null if the address is taken. */
async function makeAccount(
  client: pg.PoolClient,
  newUserId: string,
  { email, name, passwordHash }: NewPerson,
  named: boolean,
): Promise<string | null> {
  const made = await prisma(client).user.createMany({ data: [{ id: newUserId, email, name, passwordHash }], skipDuplicates: true });
  if (made.count === 1) return newUserId;
  if (!named) return null;
  // A statement of its own: only a later one sees rows as they are after the wait for the lock.
  await client.query("SELECT 1 FROM users WHERE email = $1 FOR UPDATE", [email]);
  const { rows } = await client.query<{ id: string }>(
    `UPDATE users u SET name = coalesce($2, u.name), password_hash = $3
     WHERE u.email = $1 AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id) RETURNING u.id`,
    [email, name, passwordHash],
  );
  const [account] = rows;
  if (!account) return null;
  await forgetBrowsers(client, account.id);
  await deleteFactors(client, account.id);
  // The address may have a new owner, whom single sign-on would link to this account otherwise.
  await prisma(client).ssoIdentity.deleteMany({ where: { userId: account.id } });
  return account.id;
}
