import { expect, it, onTestFinished } from "vitest";
import { openEpisodes } from "#lib/alerts/alert-store";
import { writeNotifications } from "#lib/alerts/notification-store";
import { resetEnv } from "#lib/config/env";
import { createAlertChannelBody } from "#lib/contracts/alerts";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { alertsOf, makeChannel, sendDue } from "#tests/support/alerts/alerts";
import { startMailServer } from "#tests/support/alerts/mail-server";
import { useDatabase } from "#tests/support/database";
import { useTargets } from "#tests/support/forwarding/senders";
import { makeWorkspace } from "#tests/support/webhooks";

// What chats and mail servers do with messages, as strangers met them.

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { target } = useTargets();

/** Destinations that are suspended at once, each told at some length. */
async function suspend(workspaceId: WorkspaceId, count: number, detail: string, end = "is suspended"): Promise<void> {
  const conditions = Array.from({ length: count }, (_, n) => ({
    ...{ workspaceId, rule: "destination" as const, subject: `dst_${n}`, title: `Destination ${n} ${end}`, detail },
    ...{ path: `/destinations/dst_${n}`, action: "View", count: 14, unit: "deliveries held" },
  }));
  await inTransaction(pool(), async (client) => writeNotifications(client, await openEpisodes(client, conditions, "peak")));
  await sendDue();
}

/** A channel whose other side takes a message or answers 400 or 413. @returns what it took, and how often it was asked */
async function channelOf(kind: string, statusOf: (text: string, body: Message) => number) {
  const { workspaceId } = await makeWorkspace();
  const took: { text: string; body: Message }[] = [];
  let asked = 0;
  const { url } = await target(({ body }, _request, response) => {
    asked += 1;
    const one = { text: body.toString(), body: JSON.parse(body.toString()) as Message };
    const status = statusOf(one.text, one.body);
    if (status < 300) took.push(one);
    response.writeHead(status).end();
  });
  await makeChannel(workspaceId, { kind, url });
  return { workspaceId, took, asked: () => asked };
}

type Embed = { title: string; description?: string; footer?: { text: string } };
type Message = { content: string; embeds: Embed[] };

const lengthOf = ({ embeds }: Message) =>
  embeds.reduce((sum, { title, description = "", footer }) => sum + title.length + description.length + (footer?.text.length ?? 0), 0);

const statesOf = async (workspaceId: WorkspaceId) =>
  (await alertsOf(workspaceId)).flatMap(({ sends }) => sends.map(({ state, attempts }) => `${state} ${attempts}`)).sort();

const told = (took: { text: string }[]) =>
  new Set(took.flatMap(({ text }) => [...text.matchAll(/Destination (\d+) is suspended/g)].map(([, n]) => Number(n)))).size;

/** Discord's limit of all embeds together: discord/discord-api-docs#2575 */
const asDiscord = (_: string, body: Message) => (lengthOf(body) > 6000 ? 400 : 204);

it("nine suspensions at once are told to Discord in two messages, each with a first line of its own", async () => {
  const { workspaceId, took, asked } = await channelOf("discord", asDiscord);
  await suspend(workspaceId, 9, "Too many attempts failed. ".repeat(30));
  expect(await statesOf(workspaceId)).toEqual(Array(9).fill("sent 1"));
  expect([asked(), told(took)]).toEqual([2, 9]);
  expect(took.map(({ body }) => body.content)).toEqual([expect.stringMatching(/: 5 alerts\. /), expect.stringMatching(/: 4 alerts\. /)]);
});

it("of more than Discord shows at once, as many are told as fit, and the rest is counted", async () => {
  const { workspaceId, took, asked } = await channelOf("discord", asDiscord);
  await suspend(workspaceId, 40, "Too many attempts failed. ".repeat(30));
  expect([asked(), (await statesOf(workspaceId)).every((state) => state === "sent 1")]).toEqual([1, true]);
  const embeds = took[0]?.body.embeds ?? [];
  expect(embeds.length).toBeGreaterThan(5);
  expect(embeds.at(-1)?.title).toBe(`And ${41 - embeds.length} more`);
});

it("a title that is cut ends with a whole character", async () => {
  const { workspaceId, took } = await channelOf("discord", asDiscord);
  await suspend(workspaceId, 1, "", `x${"\u{1F525}".repeat(200)}`);
  expect(took[0]?.body.embeds[0]?.title).toHaveLength(250);
  expect(took[0]?.text).not.toMatch(/\\ud[89a-f]/);
});

// elementary-data/elementary#2160, prometheus-msteams/prometheus-msteams#12
it("nine long alerts are told to Microsoft Teams within its 28 KB a message", async () => {
  const { workspaceId, took } = await channelOf("teams", (text) => (Buffer.byteLength(text) > 28 * 1024 ? 413 : 202));
  await suspend(workspaceId, 9, "試行が失敗しました。".repeat(100));
  expect(await statesOf(workspaceId)).toEqual(Array(9).fill("sent 1"));
  expect(told(took)).toBe(9);
});

it.each([
  ["slack", 413],
  ["webhook", 413],
  ["slack", 400],
])("what %s rejects as too large with %i is sent in parts", async (kind, status) => {
  const { workspaceId, took, asked } = await channelOf(kind, (text) => (text.length > 4000 ? status : 200));
  await suspend(workspaceId, 9, "Too many attempts failed. ".repeat(20));
  expect(await statesOf(workspaceId)).toEqual(Array(9).fill("sent 1"));
  expect(told(took)).toBe(9);
  expect(asked()).toBeLessThan(9);
});

it("one alert that a chat rejects holds up none of the others", async () => {
  const { workspaceId, took } = await channelOf("slack", (text) => (text.includes("Destination 4 is") ? 400 : 200));
  await suspend(workspaceId, 9, "");
  expect(await statesOf(workspaceId)).toEqual(["pending 1", ...Array(8).fill("sent 1")]);
  expect(told(took)).toBe(8);
});

it("a chat that rejects everything is asked a few times, not once for each alert", async () => {
  const { workspaceId, asked } = await channelOf("slack", () => 400);
  await suspend(workspaceId, 60, "");
  expect(new Set(await statesOf(workspaceId))).toEqual(new Set(["pending 1"]));
  expect(asked()).toBeLessThan(12);
});

// ajv-validator/ajv-formats#77
it("mail is sent to a host of one's own network and to an international domain", async () => {
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  resetEnv({ SMTP_URL: mail.url, MAIL_FROM: "signalbox@example.com" });
  const { workspaceId } = await makeWorkspace();
  await makeChannel(workspaceId, { kind: "email", recipients: ["root@mailhost", "ops@müller.example", "o'neil+ops@example.com"] });
  await suspend(workspaceId, 1, "");
  expect(mail.mails[0]?.to).toEqual(["root@mailhost", "ops@müller.example", "o'neil+ops@example.com"]); // as smtp-server reads it
  expect(mail.mails[0]?.raw).toContain("ops@xn--mller-kva.example");
});

it.each([
  ['"on call"@example.com', /quotation marks or blanks/],
  ['"root@example.com x"@evil.example', /quotation marks or blanks/],
  ["müller@example.com", /before the @, not “müller”/],
  ["ops,root@example.com", /before the @/],
  ["<ops@example.com>", /before the @/],
  ["ops@example.com>", /“example.com>” is neither a domain nor a host name/],
  ["ops@-mailhost", /“-mailhost” is neither/],
  ["ops@", /Enter email addresses/],
  ["ops@a@b", /Enter email addresses/],
])("the recipient %s is refused with a reason", (address, reason) => {
  const { error } = createAlertChannelBody.safeParse({ kind: "email", name: "On call", recipients: [address] });
  expect(error?.issues).toMatchObject([{ path: ["recipients", 0], message: expect.stringMatching(reason) }]);
});
