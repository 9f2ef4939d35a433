import { type Person, requireConfirmed } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { countRecoveryCodes, findTotpSince, hasFactor, isFactorRequired, lockPerson } from "#lib/auth/factors/factor-store";
import { listPasskeys } from "#lib/auth/factors/passkey-store";
import { removeMemberFactors } from "#lib/auth/factors/second-factor-store";
import { findByEmail } from "#lib/auth/members/user-store";
import { changeSettings } from "#lib/auth/members/workspace-store";
import { rightsChanged } from "#lib/auth/session-store";
import { listRememberedDevices } from "#lib/auth/sign-in/attempt-store";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { OwnFactors } from "#lib/contracts/auth/account";
import { mailTransport, SAFE_MAIL } from "#lib/flows/alerts/channels";
import { logger } from "#lib/observability/logger";

export async function readFactors({ by }: Person, now: Date): Promise<OwnFactors> {
  const [user, required, totpSince, passkeys, recoveryCodesLeft, rememberedDevices] = await Promise.all([
    findByEmail(by.email),
    isFactorRequired(by.userId),
    findTotpSince(by.userId),
    listPasskeys(by.userId),
    countRecoveryCodes(by.userId),
    listRememberedDevices(by.userId, now),
  ]);
  return { available: Boolean(user?.passwordHash), required, totpSince, passkeys, recoveryCodesLeft, rememberedDevices };
}

// The store audits each change in the transaction that makes it.
export { forgetDevice, removeFactor, renewRecoveryCodes } from "#lib/auth/factors/second-factor-store";

/** Sets the policy for open sessions too.
 * @throws AppError `conflict` if the owner who requires it has no factor, `confirmation_required` */
export async function changeSignInPolicy(context: Context, requiresSecondFactor: boolean): Promise<void> {
  const { actor } = context;
  requireConfirmed(actor);
  await changeSettings(context, { requiresSecondFactor }, async (client) => {
    const hasPassword = await lockPerson(client, actor.by.userId);
    if (requiresSecondFactor && hasPassword && !(await hasFactor(client, actor.by.userId)))
      throw new AppError("conflict", "Set up a second factor for yourself first, under Settings > Your account.");
  });
  rightsChanged(context.workspaceId);
}

/** Removes the lost factors of a member and sends an email. @throws AppError `confirmation_required`, `not_found`, `conflict` */
export async function removeFactorsOfMember({ actor, audit }: Context, userId: string): Promise<{ removed: number; emailed: boolean }> {
  requireConfirmed(actor);
  const { email, removed } = await removeMemberFactors(actor, userId, audit);
  return { removed, emailed: removed > 0 && (await sendAccountNotice(email, noticeOf(actor))) };
}

const noticeOf = ({ by, workspaceName }: Person) => ({
  subject: "Your second factors were removed",
  text: `${by.email}, an owner of ${workspaceName.replaceAll(/\s+/g, " ")}, removed the second factors of your Signalbox account, and you were signed out everywhere.

If you asked for this, sign in with your password and set up a second factor under Settings > Your account.
If you didn't, change your password and ask another owner to check the audit log.`,
});

/** Returns false without a mail server, and when it did not take the message. */
async function sendAccountNotice(email: string, { subject, text }: { subject: string; text: string }): Promise<boolean> {
  const { mail, APP_URL } = env();
  if (!mail) return false;
  const transport = mailTransport(mail);
  try {
    await transport.sendMail({
      from: mail.from,
      to: { name: "", address: email },
      subject,
      text: `${text}\n\n-- \nSignalbox, ${APP_URL}`,
      ...SAFE_MAIL,
    });
    return true;
  } catch (error) {
    logger().warn({ err: error }, "a notice about an account could not be sent by email");
    return false;
  } finally {
    transport.close();
  }
}
