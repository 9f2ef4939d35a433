import { insertAudit } from "#lib/auth/audit/audit-store";
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
  const userId = "userId" in person ? person.userId : newId("usr");
  const failed = (outcome: "used" | "known_email" | "member_already") => Object.assign(new Error(outcome), { outcome });
  try {
    await inTransaction(pool(), async (client) => {
      if (!(await claimInvitation(client, id, now))) throw failed("used");
      if (!("userId" in person)) {
        const { rowCount } = await client.query(
          "INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4) ON CONFLICT (email) DO NOTHING",
          [userId, person.email, person.name, person.passwordHash],
        );
        if (rowCount === 0) throw failed("known_email");
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
