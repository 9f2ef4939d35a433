import type { ChangePasswordBody } from "#lib/contracts/account";
import { AppError } from "#lib/contracts/app-error";
import { deviceHashOf } from "./device-cookie.ts";
import { hashPassword, passwordProblem } from "./password.ts";
import type { Person } from "./person.ts";
import { replacePassword } from "./session-rotation-store.ts";
import { confirmPassword } from "./sign-in.ts";
import { findByEmail } from "./user-store.ts";

const wrong = (path: string, message: string) => new AppError("invalid_request", message, { errors: [{ path, message }] });

/**
 * Changes the person's own password. All other sessions end, and the present
 * one goes on under a new id.
 *
 * @returns the Set-Cookie line
 * @throws AppError `invalid_request`, `too_many_requests`, `conflict` for an account that has no password
 */
export async function changePassword(actor: Person, headers: Headers, { current, next }: ChangePasswordBody, now: Date): Promise<string> {
  const user = await findByEmail(actor.by.email);
  if (!user?.passwordHash) throw new AppError("conflict", "This account has no password: you sign in by single sign-on.");
  const confirmed = await confirmPassword(user, current, actor.by.sessionHash, now);
  if (confirmed.outcome === "locked")
    throw new AppError("too_many_requests", "Too many wrong passwords. Wait a few minutes, then try again.");
  if (confirmed.outcome === "refused") throw wrong("current", "This is not your present password.");
  const words = passwordProblem(next, user.email);
  if (words) throw wrong("next", words);
  if (next === current) throw wrong("next", "This is the present password. Choose another.");
  return replacePassword(actor, await hashPassword(next), deviceHashOf(headers));
}
