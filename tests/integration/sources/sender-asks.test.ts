import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { challengeSettings, type GivenChallenge } from "#lib/contracts/sources/challenge-settings";
import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { changeSource, rotateSourceSecret, showVerificationToken } from "#lib/flows/sources/manage-sources";
import { readSources } from "#lib/flows/sources/read-sources";
import { systemClock } from "#lib/time/clock";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { countOf, useSenders } from "#tests/support/sender-source";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender } = useSenders(receiver);

const SECRET = "the-secret-of-the-sender";
const hmac = hmacSettings.parse({ header: "x-signature" });
const sign = (body: string, secret = SECRET) => createHmac("sha256", secret).update(body).digest("hex");
const asking = (...challenges: GivenChallenge[]) => ({
  secret: SECRET,
  scheme: { hmac, challenges: challenges.map((each) => challengeSettings.parse(each)) },
});
const learning = (challenge: GivenChallenge, header: string) => ({
  scheme: { hmac: hmacSettings.parse({ header }), challenges: [challengeSettings.parse(challenge)] },
});
const nothingOf = async (workspaceId: Parameters<typeof countOf>[1]) => {
  expect(await countOf("events", workspaceId)).toBe(0);
  expect(await countOf("quarantine", workspaceId)).toBe(0);
};
const EVENT = JSON.stringify({ id: "evt_1", type: "task.changed" });

describe("a challenge as data", () => {
  it("by HEAD and OPTIONS is answered by a source that has one, as Trello's and that of CloudEvents", async () => {
    const trello = await makeSender("hmac", asking({ asked: "head", answer: {} }));
    expect((await trello.ask("", "HEAD")).status).toBe(200);
    expect((await trello.ask("", "OPTIONS")).status).toBe(405);
    expect((await trello.ask("", "GET")).status).toBe(405);
    const cloud = await makeSender(
      "hmac",
      asking({ asked: "options", take: "header:webhook-request-origin", answer: { headers: { "webhook-allowed-origin": "{value}" } } }),
    );
    const answer = await receiver.send(cloud.name, { method: "OPTIONS", headers: { "webhook-request-origin": "events.example.com" } });
    expect([answer.status, answer.headers.get("webhook-allowed-origin")]).toEqual([200, "events.example.com"]);
    expect((await receiver.send(cloud.name, { method: "OPTIONS" })).status).toBe(405);
    expect((await receiver.send("nobody-has-this", { method: "OPTIONS" })).status).toBe(405);
    await nothingOf(cloud.workspaceId);
  });

  it("an empty list asks whether signatures are checked: 200 or 401, and nothing is kept, as Xero's", async () => {
    const xero = await makeSender("hmac", asking({ asked: "signed", when: [{ place: "events", empty: true }], answer: {} }));
    const empty = '{"events":[],"firstEventSequence":0}';
    const right = await xero.post(empty, { "x-signature": sign(empty) });
    expect([right.status, await right.text()]).toEqual([200, ""]);
    expect((await xero.post(empty, { "x-signature": sign("another") })).status).toBe(401);
    expect((await xero.post(empty, {})).status).toBe(401);
    await nothingOf(xero.workspaceId);
    const full = '{"events":[{}]}';
    expect((await xero.post(full, { "x-signature": sign("another") })).status).toBe(401);
    expect(await countOf("quarantine", xero.workspaceId)).toBe(1);
  });
});

const ASANA: GivenChallenge = {
  asked: "post",
  take: "header:x-hook-secret",
  learning: { secret: "header:x-hook-secret" },
  answer: { headers: { "x-hook-secret": "{value}" } },
};
const NOTION: GivenChallenge = { asked: "post", learning: { secret: "verification_token" }, answer: {} };
const BOLDSIGN: GivenChallenge = {
  asked: "post",
  when: [{ place: "header:x-boldsign-event", equals: "Verification" }],
  learning: {},
  answer: {},
};

describe("a sender that brings its secret", () => {
  it("is answered with an echo, and its events verify from then on, as Asana's; another secret is not taken", async () => {
    const asana = await makeSender("hmac", learning(ASANA, "x-hook-signature"));
    expect(asana.created).toMatchObject({ secret: null, proof: expect.any(String), scheme: { learning: { until: expect.any(String) } } });
    const first = "b537207f20cbfa02357cf448134da559";
    const answer = await asana.post("{}", { "x-hook-secret": first });
    expect([answer.status, answer.headers.get("x-hook-secret")]).toEqual([200, first]);
    receiver.renew();
    const again = await asana.post("{}", { "x-hook-secret": first });
    expect([again.status, again.headers.get("x-hook-secret")]).toEqual([200, first]);
    const strangers = await asana.post("{}", { "x-hook-secret": "the-secret-of-a-stranger" });
    expect(strangers.status).not.toBe(200);
    expect(strangers.headers.get("x-hook-secret")).toBeNull();
    receiver.renew();
    expect((await asana.post("{}", { "x-hook-secret": "the-secret-of-a-stranger" })).status).toBe(401);
    expect((await asana.post(EVENT, { "x-hook-signature": sign(EVENT, first) })).status).toBe(200);
    expect((await asana.post(EVENT, { "x-hook-signature": sign(EVENT, "the-secret-of-a-stranger") })).status).toBe(401);
    const { rows } = await pool().query(
      "SELECT action, actor_name, after FROM audit_entries WHERE workspace_id = $1 AND action = 'secret.learned'",
      [asana.workspaceId],
    );
    expect(rows).toMatchObject([{ actor_name: "Sender" }]);
    expect(JSON.stringify(rows)).not.toContain(first);
  });

  it("of two secrets at once one is taken", async () => {
    const asana = await makeSender("hmac", learning(ASANA, "x-hook-signature"));
    const brought = ["the-first-of-two-secrets", "the-other-of-two-secrets"];
    const answers = await Promise.all(brought.map((secret) => asana.post("{}", { "x-hook-secret": secret })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await countOf("source_secrets", asana.workspaceId)).toBe(1 + 1); // the platform source's, too
  });

  it("that wants it entered there is shown it once, as Notion", async () => {
    const notion = await makeSender("hmac", learning(NOTION, "x-notion-signature"));
    const token = "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl";
    await expect(showVerificationToken(contextOf(notion.owner, { audit: noAudit }), notion.sourceId)).rejects.toThrow(/no token to show/);
    expect((await notion.post(JSON.stringify({ verification_token: token }), {})).status).toBe(200);
    await nothingOf(notion.workspaceId);
    const inTenMinutes = new Date(Date.now() + 601_000);
    await expect(showVerificationToken(contextOf(notion.owner, { audit: noAudit, now: inTenMinutes }), notion.sourceId)).rejects.toThrow(
      /no token to show/,
    );
    expect(await showVerificationToken(contextOf(notion.owner, { audit: noAudit }), notion.sourceId)).toEqual({ token });
    await expect(showVerificationToken(contextOf(notion.owner, { audit: noAudit }), notion.sourceId)).rejects.toThrow(/no token to show/);
    receiver.renew();
    expect((await notion.post(EVENT, { "x-notion-signature": sign(EVENT, token) })).status).toBe(200);
    expect(JSON.stringify(await readSources(notion.workspaceId))).not.toContain(token);
  });

  it("that is verified before its secret is shown is answered 200 for ten minutes, as BoldSign; its events wait", async () => {
    const bold = await makeSender("hmac", learning(BOLDSIGN, "x-boldsign-signature"));
    const verification = { "x-boldsign-event": "Verification" };
    expect((await bold.post("{}", verification)).status).toBe(200);
    expect((await bold.post(EVENT, { "x-boldsign-signature": sign(EVENT) })).status).toBe(503);
    receiver.renew(createReceiver({ clock: { ...systemClock, now: () => Date.now() + 601_000 } }));
    expect((await bold.post("{}", verification)).status).toBe(503);
    receiver.renew();
    await rotateSourceSecret(contextOf(bold.owner, { audit: noAudit }), bold.sourceId, { overlapHours: 0, secret: SECRET });
    receiver.renew();
    expect((await bold.post(EVENT, { "x-boldsign-signature": sign(EVENT) })).status).toBe(200);
  });

  it("may bring another one while somebody opens the source for it again", async () => {
    const asana = await makeSender("hmac", learning(ASANA, "x-hook-signature"));
    expect((await asana.post("{}", { "x-hook-secret": "the-first-of-two-secrets" })).status).toBe(200);
    await changeSource(contextOf(asana.owner, { audit: noAudit }), asana.sourceId, { learning: true });
    receiver.renew();
    expect((await asana.post("{}", { "x-hook-secret": "the-other-of-two-secrets" })).status).toBe(200);
    receiver.renew();
    expect((await asana.post(EVENT, { "x-hook-signature": sign(EVENT, "the-other-of-two-secrets") })).status).toBe(200);
    const github = await makeSender("github");
    await expect(changeSource(contextOf(github.owner, { audit: noAudit }), github.sourceId, { learning: true })).rejects.toThrow(
      /is a source for GitHub/,
    );
  });
});
