import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { requirePerson } from "#lib/auth/members/person";
import { findPreferences, savePreferences } from "#lib/auth/members/user-store";
import type { Preferences } from "#lib/contracts/auth/account";

/** @throws AppError `conflict` for an API key */
export async function readPreferences(actor: Actor): Promise<Preferences> {
  requirePerson(actor);
  return findPreferences(actor.by.userId);
}

/** @throws AppError `conflict` for an API key */
export async function changePreferences(actor: Actor, wanted: Preferences, audit: Audit): Promise<Preferences> {
  requirePerson(actor);
  const { userId, email } = actor.by;
  const before = await savePreferences(userId, wanted);
  if (before.timeZone === wanted.timeZone) audit.unchanged();
  else await audit.record({ action: "account.changed", target: { kind: "person", id: userId, name: email }, before, after: wanted });
  return wanted;
}
