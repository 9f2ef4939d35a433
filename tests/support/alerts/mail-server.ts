import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { beforeAll } from "vitest";
import { resetEnv } from "#lib/config/env";

/** A message that the mail server accepted: its raw text, and whom it was for. */
export type Mail = { raw: string; subject: string; to: string[]; text: string; html: string; messageId: string };

export type MailServer = { url: string; mails: Mail[]; close: () => Promise<void> };

type Options = { rejects?: string[]; password?: string; port?: number };

/**
 * Starts a real SMTP server on 127.0.0.1 that keeps what it is sent.
 *
 * @param options `rejects`: addresses that it does not take; `port`: any free one unless given
 */
export async function startMailServer({ rejects = [], password, port: at = 0 }: Options = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true, // where no name service answers, it waits for it
    authOptional: password === undefined,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => done(auth.password === password ? null : new Error("wrong password"), { user: auth.username }),
    onRcptTo: ({ address }, _session, done) => done(rejects.includes(address) ? new Error(`no such mailbox: ${address}`) : null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ ...mailOf(Buffer.concat(chunks).toString("utf8")), to });
        done();
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

function mailOf(raw: string): Omit<Mail, "to"> {
  const [head = ""] = raw.split("\r\n\r\n", 1);
  const header = (name: string) => new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, "im").exec(head)?.[1]?.replace(/\r\n[ \t]/g, " ") ?? "";
  return {
    raw,
    subject: wordsOf(header("Subject")),
    messageId: header("Message-ID"),
    text: partOf(raw, "text/plain"),
    html: partOf(raw, "text/html"),
  };
}

/** RFC 2047: `=?UTF-8?Q?...?=` and `?B?`. */
const wordsOf = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, how: string, value: string) =>
      how.toUpperCase() === "B" ? Buffer.from(value, "base64").toString("utf8") : quoted(value.replaceAll("_", " ")),
    );

function partOf(raw: string, type: string): string {
  const part = raw.split(/^--/m).find((each) => each.toLowerCase().includes(`content-type: ${type}`)) ?? "";
  const [head = "", ...body] = part.split("\r\n\r\n");
  const text = body.join("\r\n\r\n");
  if (/quoted-printable/i.test(head)) return quoted(text.replace(/=\r\n/g, ""));
  return /base64/i.test(head) ? Buffer.from(text, "base64").toString("utf8") : text;
}

const quoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");

export const MAIL_FROM = "Signalbox <signalbox@example.com>";

/** A mail server for the tests of a file, which the settings name. */
export function useMailServer(options: Options = {}): Pick<MailServer, "url" | "mails"> {
  const mail = { url: "", mails: [] as Mail[] };
  beforeAll(async () => {
    const { close, ...server } = await startMailServer(options);
    Object.assign(mail, server);
    resetEnv({ SMTP_URL: mail.url, MAIL_FROM });
    return close;
  });
  return mail;
}
