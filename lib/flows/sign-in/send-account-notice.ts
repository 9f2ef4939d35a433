import { env } from "#lib/config/env";
import { mailTransport, SAFE_MAIL } from "#lib/flows/alerts/sending/mail-transport";
import { logger } from "#lib/observability/logger";

/** Returns false without a mail server, and when it did not take the message. */
export async function sendAccountNotice(email: string, { subject, text }: { subject: string; text: string }): Promise<boolean> {
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
