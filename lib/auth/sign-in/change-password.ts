import type { Audit } from "#lib/auth/audit/audit";
import type { Person } from "#lib/auth/members/person";
import { findByEmail } from "#lib/auth/members/user-store";
import { replacePassword } from "#lib/auth/sessions/rotation-store";
import { AppError } from "#lib/contracts/api/app-error";
import type { ChangePasswordBody } from "#lib/contracts/auth/account";
import { deviceHashOf } from "./device-cookie.ts";
import { hashPassword, passwordProblem } from "./password.ts";
import { confirmPassword } from "./sign-in.ts";

const wrong = (path: string, message: string) => new AppError("invalid_request", message, { errors: [{ path, message }] });

/** Changes one's own password and session ID. @returns the Set-Cookie line @throws AppError `invalid_request`, `too_many_requests` */
export async function changePassword(
  actor: Person,
  headers: Headers,
  { current, next }: ChangePasswordBody,
  now: Date,
  audit: Audit,
): Promise<string> {
  const user = await findByEmail(actor.by.email);
  if (!user?.passwordHash) throw new AppError("conflict", "This account has no password: you sign in with single sign-on.");
  const confirmed = await confirmPassword(user, current, actor.by.sessionHash, now);
  if (confirmed.outcome === "locked")
    throw new AppError("too_many_requests", "Too many wrong passwords. Wait a few minutes, then try again.");
  if (confirmed.outcome === "rejected") throw wrong("current", "The current password is incorrect.");
  const words = passwordProblem(next, user.email);
  if (words) throw wrong("next", words);
  if (next === current) throw wrong("next", "The new password is the same as the current one. Choose a different one.");
  return replacePassword(actor, await hashPassword(next), deviceHashOf(headers), audit);
}
