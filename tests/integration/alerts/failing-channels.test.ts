import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { composeTest } from "#lib/alerts/message";
import { resetEnv } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { sendMail } from "#lib/flows/alerts/channels";
import { changeAlertChannel, testAlertChannel } from "#lib/flows/alerts/manage-channels";
import { readAlertChannels } from "#lib/flows/alerts/read-alerts";
import { sendAlerts } from "#lib/flows/alerts/send-alerts";
import { readOverview } from "#lib/flows/overview/read-overview";
import { newSigningSecret } from "#lib/forwarding/attempt/outgoing-request";
import { alertsOf, makeChannel, sendDue, setConnection, watch, withChannel } from "#tests/support/alerts/alerts";
import { MAIL_FROM, startMailServer, useMailServer } from "#tests/support/alerts/mail-server";
import { useDatabase } from "#tests/support/database";
import { asOwner } from "#tests/support/forwarding/destinations";
import { useTargets } from "#tests/support/forwarding/senders";
import type { Received } from "#tests/support/forwarding/target";
import { expectPace } from "#tests/support/pace";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { target } = useTargets();

const mail = useMailServer({ rejects: ["gone@example.com"] });

const bodyOf = (received: Received | undefined) => JSON.parse(received?.body.toString() ?? "null");

/** Loses a connection and sends that. */
async function tellLoss(workspaceId: WorkspaceId): Promise<void> {
  await setConnection(workspaceId, "needs_reauthorization");
  await sendDue();
}

const answerWith500 = ((_received, _request, response) => response.writeHead(500).end()) satisfies Parameters<typeof target>[0];

describe("a channel that fails", () => {
  it("is tried again by the schedule, shows on the overview and in words, and is well again when a message arrives", async () => {
    let status = 404;
    const { workspaceId, received } = await withChannel(target, { kind: "slack", name: "Ops chat" }, (_received, _request, response) =>
      response.writeHead(status).end("no_service"),
    );
    await setConnection(workspaceId, "needs_reauthorization");
    const asked = Date.now();
    await sendDue();
    const answered = Date.now();
    const [failing] = (await readAlertChannels(workspaceId)).data;
    expect(failing).toMatchObject({ failingSince: expect.any(String), lastFailure: { detail: "Answered 404: no_service." } });
    const sentences = async () => (await readOverview(workspaceId, new Date())).conditions.map(({ sentence }) => sentence);
    expect(await sentences()).toContain("Alerts can't be delivered over Ops chat.");
    const [waiting] = await alertsOf(workspaceId);
    expect(waiting?.sends).toMatchObject([{ state: "pending", attempts: 1, outcome: "Answered 404: no_service." }]);
    const next = Date.parse(waiting?.sends[0]?.at ?? "");
    expect(next - asked).toBeGreaterThan(23_000);
    expect(next - answered).toBeLessThan(37_000);
    status = 200;
    await sendDue();
    expect(received).toHaveLength(2);
    expect(await sentences()).not.toContain("Alerts can't be delivered over Ops chat.");
    expect((await alertsOf(workspaceId))[0]?.sends).toMatchObject([{ state: "sent", attempts: 2 }]);
  });

  it("is given up after eight attempts, and the alert says so", async () => {
    const { workspaceId, received } = await withChannel(target, { kind: "discord" }, answerWith500);
    await setConnection(workspaceId, "needs_reauthorization");
    for (let n = 0; n < 10; n += 1) await sendDue();
    expect(received).toHaveLength(8);
    expect((await alertsOf(workspaceId))[0]?.sends).toMatchObject([{ state: "failed", attempts: 8, outcome: "Answered 500." }]);
  });

  it("uses up no attempt of what waits for its next one when something new is sent", async () => {
    const { workspaceId, received } = await withChannel(target, { kind: "webhook" }, answerWith500);
    await tellLoss(workspaceId);
    for (let n = 1; n < 10; n += 1) {
      await pool().query(
        `INSERT INTO connections (id, workspace_id, name, state, required_scopes, granted_scopes) VALUES ($1, $2, 'More', 'needs_reauthorization', '{}', '{}')`,
        [`${workspaceId}_${n}`, workspaceId],
      );
      await watch();
      await pool().query(
        "UPDATE alert_sends SET due_at = CASE attempts WHEN 0 THEN now() - interval '1 ms' ELSE now() + interval '1 hour' END WHERE state = 'pending'",
      );
      await sendAlerts();
    }
    expect(received).toHaveLength(10);
    const sends = (await alertsOf(workspaceId)).flatMap((alert) => alert.sends);
    expect(sends.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(Array(10).fill("pending 1"));
    expect(bodyOf(received[9]).data.alerts).toHaveLength(10);
  });

  it("is asked once a message, not once for each that did not fit into the first", async () => {
    const { workspaceId, received } = await withChannel(target, { kind: "webhook" }, answerWith500);
    await pool().query(
      `INSERT INTO connections (id, workspace_id, name, state, required_scopes, granted_scopes)
       SELECT $1 || '_' || n, $1, 'Account ' || n, 'needs_reauthorization', '{}', '{}' FROM generate_series(1, 201) n`,
      [workspaceId],
    );
    await watch();
    await sendDue();
    expect(received).toHaveLength(2);
    const { rows } = await pool().query("SELECT state, attempts, count(*) AS n FROM alert_sends WHERE workspace_id = $1 GROUP BY 1, 2", [
      workspaceId,
    ]);
    expect(rows).toEqual([{ state: "pending", attempts: 1, n: 201 }]);
  });

  it("that asks to wait is sent nothing new before, but a test; a changed address ends the wait", async () => {
    const { workspaceId, id, received } = await withChannel(target, { kind: "webhook" }, (_received, _request, response) =>
      response.writeHead(429, { "retry-after": "3600" }).end(),
    );
    await tellLoss(workspaceId);
    await sendDue();
    expect(received).toHaveLength(1);
    expect(await testAlertChannel(asOwner(workspaceId), id)).toMatchObject({ arrived: false });
    expect(received).toHaveLength(2);
    const other = await target();
    await changeAlertChannel(asOwner(workspaceId), id, { url: other.url, secret: newSigningSecret() });
    await sendDue();
    expect(other.received).toHaveLength(1);
  });

  it("says nothing of a chat's secret URL that its answer repeats", async () => {
    const { workspaceId } = await makeWorkspace();
    const token = "T0123456789abcdefTOKEN";
    const { url } = await target((_received, request, response) => {
      if (request.url?.includes("moved")) response.writeHead(301, { location: `https://new.example${request.url}` }).end();
      else response.writeHead(404).end(JSON.stringify({ error: `${"no such page: ".repeat(9)}${request.url}` }));
    });
    for (const path of ["moved", "gone"]) {
      await makeChannel(workspaceId, { kind: "slack", name: path, url: new URL(`/hooks/${path}/${token}`, url).href });
    }
    await tellLoss(workspaceId);
    const said = JSON.stringify([await readAlertChannels(workspaceId), await alertsOf(workspaceId)]);
    expect(said).toContain("Answered 301 with a redirect to https://new.example[hidden]");
    expect(said).toContain("Answered 404: ");
    for (let length = token.length; length > 3; length -= 1) expect(said).not.toContain(token.slice(0, length));
  });

  it("that hangs holds up no other channel", { tags: ["deep"] }, async () => {
    const { workspaceId } = await makeWorkspace();
    const slow = await target((_received, _request, response) => setTimeout(() => response.end(), 3000).unref());
    const quick = await target();
    await makeChannel(workspaceId, { kind: "slack", name: "Slow", url: slow.url });
    await makeChannel(workspaceId, { kind: "slack", name: "Quick", url: quick.url });
    await setConnection(workspaceId, "needs_reauthorization");
    const since = Date.now();
    await sendDue();
    expectPace((quick.received[0]?.at ?? Number.POSITIVE_INFINITY) - since, 2000);
    expect(slow.received).toHaveLength(1);
  });

  it("a private address is refused when it is saved, and when something is sent", async () => {
    const { workspaceId } = await makeWorkspace();
    await expect(makeChannel(workspaceId, { kind: "slack", url: "https://10.0.0.1/hook" })).rejects.toThrow(/not a public address/);
    const { url, received } = await target();
    const { id } = await makeChannel(workspaceId, { kind: "webhook", url });
    resetEnv({ FORWARD_ALLOW: "" });
    const result = await testAlertChannel(asOwner(workspaceId), id);
    expect(result).toMatchObject({ arrived: false, detail: expect.stringContaining("FORWARD_ALLOW") });
    expect(received).toHaveLength(0);
  });

  it("of a kind that only a newer version knows is sent nothing, and says so; its address can't be changed", async () => {
    const { workspaceId, id, url, received } = await withChannel(target, { kind: "webhook" });
    await pool().query("UPDATE alert_channels SET kind = 'telegraph' WHERE id = $1", [id]);
    await tellLoss(workspaceId);
    expect(received).toHaveLength(0);
    const [channel] = (await readAlertChannels(workspaceId)).data;
    const detail = "This version of Signalbox does not support channels of the kind “telegraph”. Update Signalbox, or delete the channel.";
    expect(channel).toMatchObject({ failingSince: expect.any(String), lastFailure: { detail } });
    expect(await testAlertChannel(asOwner(workspaceId), id)).toEqual({ arrived: false, detail });
    await expect(changeAlertChannel(asOwner(workspaceId), id, { url })).rejects.toThrow("url: Channels of this kind don't have one.");
  });

  it("a mail server that goes on without an end is left before another sender takes the channel", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    resetEnv({ SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const message = composeTest("Acme", 1, "http://localhost:3000", new Date());
    expect(await sendMail(["ada@example.com"], message, "msg_1", new AbortController().signal, 100)).toMatchObject({
      arrived: false,
      detail: "The mail server did not respond in time.",
    });
    server.close();
  });

  it("without a mail server, and with one that rejects the password, says so", async () => {
    const { workspaceId } = await makeWorkspace();
    const { id } = await makeChannel(workspaceId, { kind: "email", recipients: ["ada@example.com"] });
    const encrypted = await makeChannel(workspaceId, { kind: "email", name: "Encrypted", recipients: ["ada@example.com"] });
    const outcome = async (url: string, channel = id) => {
      resetEnv({ SMTP_URL: url });
      return (await testAlertChannel(asOwner(workspaceId), channel)).detail;
    };
    const locked = await startMailServer({ password: "right" });
    // Not a loopback address by its name, and it leads to this machine.
    const elsewhere = locked.url.replace("127.0.0.1", "0.0.0.0").replace("//", "//ada:right@");
    expect(await outcome(elsewhere, encrypted.id)).toMatch(
      /^The connection to the mail server can't be encrypted \(SMTP_TLS=optional would send it unencrypted\)/,
    );
    expect(await outcome(locked.url.replace("//", "//ada:wrong@"))).toMatch(
      /^The mail server rejected the user name or password of SMTP_URL: 535/,
    );
    resetEnv({ SMTP_TLS: "optional" });
    expect(await outcome(elsewhere.replace("right", "wrong"), encrypted.id)).toMatch(/^The mail server rejected the user name or password/);
    resetEnv({ SMTP_TLS: "" });
    await locked.close();
    expect(await outcome(locked.url)).toBe("The mail server can't be reached. Check SMTP_URL.");
    resetEnv({ SMTP_URL: "", MAIL_FROM: "" });
    expect((await testAlertChannel(asOwner(workspaceId), id)).detail).toBe("SMTP_URL and MAIL_FROM are not set: no email can be sent.");
    resetEnv({ SMTP_URL: mail.url, MAIL_FROM });
    expect(await outcome(mail.url)).toMatch(/^Accepted by the mail server/);
  });
});
