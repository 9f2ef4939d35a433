import { randomBytes } from "node:crypto";
import { findByEmail, normalEmail } from "#lib/auth/members/user-store";
import { resetPassword } from "#lib/auth/sessions/rotation-store";
import { hashPassword } from "#lib/auth/sign-in/password";
import { AppError } from "#lib/contracts/api/app-error";

/** Sets and returns a random password and ends all sessions. @param removeFactors also removes lost factors @throws AppError `not_found` */
export async function resetForgottenPassword(
  email: string,
  removeFactors = false,
): Promise<{ email: string; password: string; sessionsEnded: number; factorsRemoved: number }> {
  const user = await findByEmail(email);
  if (!user) throw new AppError("not_found", `There is no account with the email address ${normalEmail(email)}.`);
  const password = randomBytes(15).toString("base64url");
  return { email: user.email, password, ...(await resetPassword(user, await hashPassword(password), removeFactors)) };
}
