import { randomBytes } from "node:crypto";
import { findByEmail, normalEmail } from "#lib/auth/members/user-store";
import { resetPassword } from "#lib/auth/sessions/rotation-store";
import { hashPassword } from "#lib/auth/sign-in/password";
import { AppError } from "#lib/contracts/api/app-error";

/**
 * Gives an account a new random password and ends all its sessions: for whoever runs the installation, when somebody
 * has forgotten theirs and nobody else can invite them anew.
 *
 * @param removeFactors true when their second factors are lost too; else they are asked for as before
 * @returns the password, which is shown once, and what ended
 * @throws AppError `not_found` when no account has that address
 */
export async function resetForgottenPassword(
  email: string,
  removeFactors = false,
): Promise<{ email: string; password: string; sessionsEnded: number; factorsRemoved: number }> {
  const user = await findByEmail(email);
  if (!user) throw new AppError("not_found", `There is no account with the email address ${normalEmail(email)}.`);
  const password = randomBytes(15).toString("base64url");
  return { email: user.email, password, ...(await resetPassword(user, await hashPassword(password), removeFactors)) };
}
