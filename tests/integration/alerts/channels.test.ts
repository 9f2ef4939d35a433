import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { deleteOldTests } from "#lib/alerts/notification-store";
import type { Actor } from "#lib/auth/actor";
import { auditOf } from "#lib/auth/audit/audit";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { changeAlertChannel, deleteAlertChannel, testAlertChannel } from "#lib/flows/alerts/manage-channels";
import { problemResponse } from "#lib/http/problem";
import { makeAccount } from "#tests/support/account";
import { alertsOf, makeChannel, sendDue, setConnection, withChannel } from "#tests/support/alerts/alerts";
import { useMailServer } from "#tests/support/alerts/mail-server";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { asOwner, ownerOf } from "#tests/support/forwarding/destinations";
import { useTargets } from "#tests/support/forwarding/senders";
import type { Received } from "#tests/support/forwarding/target";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { target } = useTargets();

const mail = useMailServer({ rejects: ["gone@example.com"] });

const bodyOf = (received: Received | undefined) => JSON.parse(received?.body.toString() ?? "null");

/** Sends that a connection was lost, and that it works again. @returns the two requests */
async function lostAndFound(kind: string, settings: Record<string, unknown> = {}) {
  const { workspaceId } = await makeWorkspace();
  const { url, received } = await target();
  const channel = await makeChannel(workspaceId, { kind, url, rules: ["connection"], ...settings });
  await setConnection(workspaceId, "needs_reauthorization");
  await sendDue();
  await setConnection(workspaceId, "connected");
  await sendDue();
  expect(received).toHaveLength(2);
  return { channel, received, lost: bodyOf(received[0]), found: bodyOf(received[1]), workspaceId };
}

const TITLE = "Acme <Docs> & *Co* needs to be reconnected";

describe("each channel's own format", () => {
  it("Slack: text for the lock screen, sections with a button, its control characters escaped", async () => {
    const { lost, found, channel, workspaceId } = await lostAndFound("slack");
    expect(lost.text).toBe("Acme: Acme &lt;Docs&gt; &amp; *Co* needs to be reconnected");
    expect(lost.blocks[1]).toMatchObject({
      type: "section",
      text: { type: "mrkdwn", text: expect.stringContaining("Since ") },
      accessory: { type: "button", text: { text: "Reconnect" }, url: `http://localhost:3000/connections/${workspaceId}` },
    });
    expect(found.text).toMatch(/^Acme: Recovered after .*: Acme &lt;Docs&gt;/);
    expect(channel).toMatchObject({ target: expect.stringMatching(/^127\.0\.0\.1:/), secret: null });
    const { rows } = await pool().query<{ row: string }>("SELECT a::text AS row FROM alert_channels a WHERE id = $1", [channel.id]);
    expect(rows[0]?.row).not.toContain("/hook");
  });

  it("Microsoft Teams: an Adaptive Card with a summary and a button", async () => {
    const { lost, found } = await lostAndFound("teams");
    expect(lost).toMatchObject({ type: "message", summary: `Acme: ${TITLE}` });
    const card = lost.attachments[0];
    expect(card.contentType).toBe("application/vnd.microsoft.card.adaptive");
    expect(card.content).toMatchObject({ type: "AdaptiveCard", version: "1.4", actions: [{ type: "Action.OpenUrl", title: "Reconnect" }] });
    expect(card.content.body[1]).toMatchObject({ text: "Acme <Docs> & \\*Co\\* needs to be reconnected", color: "attention" });
    expect(found.attachments[0].content.body[1]).toMatchObject({ color: "good", text: expect.stringMatching(/^Recovered after/) });
  });

  it("Discord: content and an embed, mentioning nobody", async () => {
    const { lost, found } = await lostAndFound("discord");
    expect(lost).toMatchObject({ content: "Acme: Acme <Docs> & \\*Co\\* needs to be reconnected", allowed_mentions: { parse: [] } });
    expect(lost.embeds[0]).toMatchObject({ title: TITLE, url: expect.stringContaining("/connections/"), color: 0xb91c1c });
    expect(found.embeds[0]).toMatchObject({ color: 0x15803d });
  });

  it("PagerDuty: triggers and resolves one incident", async () => {
    const { lost, found } = await lostAndFound("pagerduty", { routingKey: "0123456789abcdef0123456789abcdef" });
    expect(lost).toMatchObject({
      routing_key: "0123456789abcdef0123456789abcdef",
      event_action: "trigger",
      payload: { summary: `Acme: ${TITLE}`, severity: "error", class: "connection" },
      links: [{ text: "Reconnect" }],
    });
    expect(found).toMatchObject({ event_action: "resolve", dedup_key: lost.dedup_key });
  });

  it("signed webhook: verified by an independent library, with times and amounts as data", async () => {
    const { lost, found, channel, received } = await lostAndFound("webhook");
    const [first] = received as [Received];
    expect(new Webhook(channel.secret ?? "").verify(first.body.toString(), first.headers as Record<string, string>)).toEqual(lost);
    expect(lost).toMatchObject({
      type: "alerts",
      data: { workspace: "Acme", summary: `Acme: ${TITLE}`, alerts: [{ notification: "opened", rule: "connection", closedAt: null }] },
    });
    expect(found.data.alerts[0]).toMatchObject({ id: lost.data.alerts[0].id, notification: "recovered", closedAt: expect.any(String) });
  });

  it("email: an event's own line breaks forge no line of the text", async () => {
    const { workspaceId } = await makeWorkspace();
    await makeChannel(workspaceId, { kind: "email", recipients: ["ada@example.com"] });
    await setConnection(workspaceId, "needs_reauthorization", "Acme\r\n\nReconnect: https://evil.example\u2028-- \u0085x");
    await sendDue();
    const lines = mail.mails.at(-1)?.text.split(/\r?\n|\u2028|\u0085/) ?? [];
    expect(lines[0]).toContain("Acme Reconnect: https://evil.example -- ");
    expect(lines.filter((line) => line.startsWith("Reconnect: "))).toEqual([`Reconnect: http://localhost:3000/connections/${workspaceId}`]);
  });

  it("Slack: makes no link, mention or emphasis of an event's words", async () => {
    const { workspaceId, received } = await withChannel(target, { kind: "slack", rules: ["connection"] });
    await setConnection(workspaceId, "needs_reauthorization", "<!channel> https://evil.example *all* `is` ~well~ _now_\n> quoted");
    await sendDue();
    const { text, mrkdwn, link_names, unfurl_links, blocks } = bodyOf(received[0]);
    expect({ mrkdwn, link_names, unfurl_links }).toEqual({ mrkdwn: false, link_names: false, unfurl_links: false });
    expect(text).toContain("&lt;!channel&gt;");
    const texts = (blocks as { text?: object; elements?: object[] }[]).flatMap((block) => block.elements ?? block.text ?? []);
    for (const each of texts) expect(each).toMatchObject({ type: "mrkdwn", verbatim: true });
    const said = JSON.stringify(blocks);
    for (const raw of ["<!channel>", "*all*", "`is`", "~well~", "_now_", "\\n&gt; quoted"]) expect(said).not.toContain(raw);
  });

  it("email: subject, text and escaped HTML; a rejected address is said", async () => {
    const { workspaceId } = await makeWorkspace();
    const { id } = await makeChannel(workspaceId, { kind: "email", recipients: ["ada@example.com", "gone@example.com"] });
    await setConnection(workspaceId, "needs_reauthorization");
    await sendDue();
    const sent = mail.mails.at(-1);
    expect(sent).toMatchObject({ subject: `Acme: ${TITLE}`, to: ["ada@example.com"] });
    expect(sent?.text).toContain(`Reconnect: http://localhost:3000/connections/${workspaceId}`);
    expect(sent?.html).toContain("Acme &lt;Docs&gt; &amp; *Co* needs to be reconnected");
    expect(sent?.html).not.toContain("<Docs>");
    expect(sent?.messageId).toMatch(/^<msg_[0-9a-f]{40}@signalbox>$/);
    const [alert] = await alertsOf(workspaceId);
    expect(alert?.sends).toMatchObject([
      {
        channelId: id,
        notification: "opened",
        state: "sent",
        attempts: 1,
        outcome: expect.stringMatching(/for 1 of 2 addresses; rejected: gone@example\.com$/),
      },
    ]);
  });
});

describe("Send test", () => {
  it("goes the real path, leaves no incident open, and is tried once", async () => {
    const { workspaceId, id, received } = await withChannel(target, { kind: "pagerduty", routingKey: "0123456789abcdef" });
    expect(await testAlertChannel(asOwner(workspaceId), id)).toEqual({ arrived: true, detail: "Answered 200" });
    expect(received.map((each) => bodyOf(each).event_action)).toEqual(["trigger", "resolve"]);
    expect(bodyOf(received[0]).payload).toMatchObject({ severity: "info", summary: "Acme: Test message: alerts arrive here" });
    expect(await alertsOf(workspaceId)).toEqual([]);
  });

  const ask = (owner: Actor, id: string, now = new Date()) => testAlertChannel(contextOf(owner, { now }), id);
  const personOf = (workspaceId: WorkspaceId, userId: string): Actor => {
    const owner = ownerOf(workspaceId);
    return { ...owner, by: { ...owner.by, userId } as Actor["by"] };
  };

  it("reaches 40 of 80 strangers' mailboxes a day, and says with 429 when there is room again", async () => {
    const { workspaceId } = await makeWorkspace();
    const owner = personOf(workspaceId, "usr_spammer");
    const ids: string[] = [];
    for (const list of ["a", "b", "c", "d"]) {
      const recipients = Array.from({ length: 20 }, (_, each) => `stranger-${list}-${each}@example.com`);
      ids.push((await makeChannel(workspaceId, { kind: "email", name: list, recipients })).id);
    }
    const before = mail.mails.length;
    const answers = await Promise.allSettled(ids.map((id) => ask(owner, id)));
    expect(mail.mails.slice(before).flatMap(({ to }) => to)).toHaveLength(40);
    const [refused] = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    expect(refused).toMatchObject({
      code: "too_many_requests",
      message: expect.stringMatching(/^This workspace sent test messages to 50 addresses.*Try again in (1 d|23 h)/),
    });
    const answer = problemResponse(refused);
    expect([answer.status, Number(answer.headers.get("retry-after")) > 86_000]).toEqual([429, true]);
  });

  it("goes once a day to an address that is no member's, from whichever workspace, and more often to a member's", {
    tags: ["deep"],
  }, async () => {
    const [here, there] = [await makeWorkspace(), await makeWorkspace()];
    const recipients = ["stranger@example.com"];
    const [first, second] = [
      await makeChannel(here.workspaceId, { kind: "email", recipients }),
      await makeChannel(there.workspaceId, { kind: "email", recipients: ["Stranger@Example.com"] }),
    ];
    const now = new Date();
    const later = (ms: number) => new Date(now.getTime() + ms);
    expect(await ask(personOf(here.workspaceId, "usr_a"), first.id, now)).toMatchObject({ arrived: true });
    await expect(ask(personOf(there.workspaceId, "usr_b"), second.id, later(3_600_000))).rejects.toThrow(
      "stranger@example.com received a test message in the last 24 hours. An address that belongs to no member can receive one a day. Try again in 23 h.",
    );
    expect(await ask(personOf(there.workspaceId, "usr_b"), second.id, later(86_400_001))).toMatchObject({ arrived: true });
    const member = await makeAccount({ workspaceId: here.workspaceId });
    const own = await makeChannel(here.workspaceId, { kind: "email", name: "Own", recipients: [member.email] });
    for (let tests = 0; tests < 5; tests += 1) expect((await ask(personOf(here.workspaceId, "usr_c"), own.id, now)).arrived).toBe(true);
    await expect(ask(personOf(here.workspaceId, "usr_d"), own.id, now)).rejects.toThrow(
      /^5 test messages were sent over this channel in the last 10 minutes/,
    );
    await expect(ask(personOf(here.workspaceId, "usr_d"), own.id, later(601_000))).rejects.toThrow(
      / received 5 test messages in the last hour\. Try again in 49 min/,
    );
  });

  it("goes on counting while it waits behind what another worker sends over the channel", async () => {
    const { workspaceId } = await makeWorkspace();
    const owner = personOf(workspaceId, "usr_waiting");
    const { id } = await makeChannel(workspaceId, { kind: "email", recipients: ["waits@example.com"] });
    await pool().query("UPDATE alert_channels SET sender = 'another', sender_until = now() + interval '1 minute' WHERE id = $1", [id]);
    const audit = auditOf(owner);
    expect(await testAlertChannel(contextOf(owner, { audit }), id, 0)).toMatchObject({ arrived: false });
    const { rows } = await pool().query("SELECT after FROM audit_entries WHERE action = 'alert_channel.tested' AND target_id = $1", [id]);
    expect(rows).toEqual([{ after: { pending: true } }]);
    await pool().query("UPDATE alert_channels SET sender = NULL, sender_until = NULL WHERE id = $1", [id]);
    await sendDue();
    expect(mail.mails.at(-1)?.to).toEqual(["waits@example.com"]);
    await expect(ask(owner, id)).rejects.toThrow(/^waits@example\.com received a test message in the last 24 hours/);
  });

  it("may be asked for ten times in ten minutes by one person, over all channels and workspaces", async () => {
    const { workspaceId } = await makeWorkspace();
    const { url } = await target();
    const now = new Date();
    const person = personOf(workspaceId, "usr_impatient");
    for (let tests = 0; tests < 10; tests += 1) {
      const { id } = await makeChannel(workspaceId, { kind: "slack", name: `Chat ${tests}`, url });
      await ask(person, id, now);
    }
    const elsewhere = (await makeWorkspace()).workspaceId;
    const { id } = await makeChannel(elsewhere, { kind: "slack", url });
    await expect(ask({ ...person, workspaceId: elsewhere }, id, now)).rejects.toThrow(
      "You sent 10 test messages in the last 10 minutes. Try again in 10 min.",
    );
    expect(await deleteOldTests(new Date(now.getTime() + 90_000_000))).toBeGreaterThan(0);
  });

  it("a deleted channel's messages are cancelled, and its secret is gone", async () => {
    const { workspaceId, id, received } = await withChannel(target, { kind: "slack" });
    await setConnection(workspaceId, "needs_reauthorization");
    expect(await deleteAlertChannel(asOwner(workspaceId), id)).toEqual({ cancelled: 1 });
    await sendDue();
    expect(received).toHaveLength(0);
    expect((await alertsOf(workspaceId))[0]?.sends).toMatchObject([{ state: "cancelled", outcome: "The channel was deleted" }]);
    const { rows } = await pool().query("SELECT sealed FROM alert_channels WHERE id = $1", [id]);
    expect(rows).toEqual([{ sealed: null }]);
  });
});

describe("a URL of another host", () => {
  const KEY = "0123456789abcdef";

  /** A channel that can't be led to another host without the `secret` that it sends along. */
  async function withOther(secret: string, settings: Record<string, unknown>) {
    const { workspaceId, id, url, received } = await withChannel(target, settings);
    const other = await target();
    const change = (body: Record<string, unknown>) => changeAlertChannel(asOwner(workspaceId), id, body);
    await expect(change({ url: other.url })).rejects.toMatchObject({ status: 400, errors: [{ path: secret }] });
    return { url, received, other, change, test: () => testAlertChannel(asOwner(workspaceId), id) };
  }

  it("needs PagerDuty's integration key again: the sealed one is never posted there", async () => {
    const { url, received, other, change, test } = await withOther("routingKey", { kind: "pagerduty", routingKey: KEY });
    await test();
    expect([received.length, other.received.length]).toEqual([2, 0]);
    await change({ url: new URL("/elsewhere", url).href });
    await change({ url: other.url, routingKey: "fedcba9876543210" });
    await test();
    expect(other.received.map((each) => bodyOf(each).routing_key)).toEqual(["fedcba9876543210", "fedcba9876543210"]);
  });

  it("needs a webhook's signing secret again, which then signs", async () => {
    const { other, change, test } = await withOther("secret", { kind: "webhook" });
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    await change({ url: other.url, secret });
    await test();
    const [sent] = other.received;
    expect(new Webhook(secret).verify(sent?.body.toString() ?? "", sent?.headers as Record<string, string>)).toMatchObject({
      type: "alerts",
    });
    await expect(change({ routingKey: KEY })).rejects.toMatchObject({ errors: [{ path: "routingKey" }] });
  });
});
