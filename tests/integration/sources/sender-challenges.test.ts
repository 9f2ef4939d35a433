import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { challengeSettings, type GivenChallenge } from "#lib/contracts/sources/challenge-settings";
import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { showVerificationToken } from "#lib/flows/sources/manage-sources";
import { readSources } from "#lib/flows/sources/read-sources";
import { signBody } from "#lib/platform/signature";
import { systemClock } from "#lib/time/clock";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { countOf, useSenders } from "#tests/support/sender-source";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

const answerOf = async (answer: Response) => [answer.status, answer.headers.get("content-type"), await answer.text()];
const TEXT = "text/plain; charset=utf-8";
const nothingOf = async (workspaceId: Parameters<typeof countOf>[1]) => {
  expect(await countOf("events", workspaceId)).toBe(0);
  expect(await countOf("quarantine", workspaceId)).toBe(0);
};

describe("a challenge", () => {
  it("of Slack is answered when it is signed; a stranger's is not echoed, and no page is", async () => {
    const { workspaceId, send, post } = await makeSender("slack");
    const challenge = JSON.stringify({
      type: "url_verification",
      token: "t",
      challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXA",
    });
    expect(await answerOf(await send(challenge))).toEqual([200, TEXT, "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXA"]);
    await nothingOf(workspaceId);
    const unsigned = await post(challenge, {});
    expect(unsigned.status).toBe(401);
    expect(await unsigned.text()).not.toContain("3eZbrw1a");
    const page = await send(JSON.stringify({ type: "url_verification", challenge: "<script>\n" }));
    expect(page.headers.get("content-type")).toBe("application/json");
  });

  it("of Slack that was seen before and is sent again later gets no answer, and is no event", async () => {
    const { workspaceId, send } = await makeSender("slack");
    const challenge = JSON.stringify({ type: "url_verification", challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXA" });
    const answer = await send(challenge, {}, new Date(Date.now() - 600_000));
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain("3eZbrw1a");
    await nothingOf(workspaceId);
  });

  it("of Zoom and X is answered with its HMAC", async () => {
    const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text);
    const [zoom, x] = [await makeSender("zoom"), await makeSender("x")];
    const plainToken = "qgg8vlvZRS6UYooatFL8Aw";
    const answer = await zoom.send(JSON.stringify({ payload: { plainToken }, event_ts: 1, event: "endpoint.url_validation" }));
    expect(await answer.json()).toEqual({ plainToken, encryptedToken: hmac(zoom.secret, plainToken).digest("hex") });
    const token = "9b4507b3-9040-4669-9ca3-6b94edb50553";
    expect(await (await x.ask(`?crc_token=${token}`)).json()).toEqual({
      response_token: `sha256=${hmac(x.secret, token).digest("base64")}`,
    });
    for (const { workspaceId } of [zoom, x]) await nothingOf(workspaceId);
  });

  it("of Meta is echoed to who knows the verify token that the source was made with", async () => {
    const { workspaceId, ask, created } = await makeSender("meta");
    const asked = (token: string, challenge = "1158201444") =>
      ask(`?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=${encodeURIComponent(challenge)}`);
    expect(created.verifyToken).toMatch(/^[0-9a-f]{40}$/);
    expect(await answerOf(await asked(created.verifyToken ?? ""))).toEqual([200, TEXT, "1158201444"]);
    expect((await asked("another")).status).toBe(405);
    expect((await asked(created.verifyToken ?? "", "two\nlines")).status).toBe(405);
    await nothingOf(workspaceId);
  });

  it("of Dropbox and of Microsoft Graph is echoed as text that no browser reads as a page", async () => {
    const dropbox = await makeSender("dropbox");
    const answer = await dropbox.ask("?challenge=abc123");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await answerOf(answer)).toEqual([200, TEXT, "abc123"]);
    expect((await dropbox.ask("?challenge=a&challenge=b")).status).toBe(405);
    expect((await dropbox.ask(`?challenge=${"a".repeat(513)}`)).status).toBe(405);
    const graph = await makeSender("microsoft-graph");
    const validation = await graph.ask("?validationToken=Validation%3A+Testing+client+reachability", "POST");
    expect(await answerOf(validation)).toEqual([200, TEXT, "Validation: Testing client reachability"]);
    await nothingOf(graph.workspaceId);
  });

  it("is none to a source of another sender, nor by another method", async () => {
    const github = await makeSender("github");
    for (const query of ["?challenge=a", "?crc_token=a", "?validationToken=a", "?hub.mode=subscribe&hub.challenge=a"])
      expect((await github.ask(query)).status).toBe(405);
    expect((await github.ask("?validationToken=a", "POST")).status).toBe(401);
    const dropbox = await makeSender("dropbox");
    for (const method of ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"])
      expect((await dropbox.ask("?challenge=a", method)).status).toBe(405);
    expect((await dropbox.ask("")).status).toBe(405);
    expect((await receiver.send("nobody-has-this?challenge=a", { method: "GET" })).status).toBe(405);
  });
});

describe("events of senders that ask", () => {
  it("are stored: Zoom, Meta and X by the digest of their body, Dropbox each time", async () => {
    const zoom = await makeSender("zoom");
    const started = JSON.stringify({ event: "meeting.started", event_ts: 1_626_230_691_572, payload: { object: { id: "1" } } });
    expect((await zoom.send(started)).status).toBe(200);
    expect(await (await zoom.send(started)).json()).toMatchObject({ duplicate: true });
    const meta = await makeSender("meta");
    const page = JSON.stringify({ object: "page", entry: [{ id: "0", time: 1_520_383_571, changes: [{ field: "feed", value: 1 }] }] });
    expect((await meta.send(page)).status).toBe(200);
    const x = await makeSender("x");
    expect((await x.send(JSON.stringify({ for_user_id: "1", tweet_create_events: [] }))).status).toBe(200);
    const dropbox = await makeSender("dropbox");
    const changed = JSON.stringify({ list_folder: { accounts: ["dbid:1"] } });
    const ids = new Set<string>();
    for (let n = 0; n < 3; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2)); // another millisecond
      ids.add(((await (await dropbox.send(changed)).json()) as { id: string }).id);
    }
    expect(ids.size).toBe(3);
  });
});

describe("a list of notifications", () => {
  const hex = (text: string) => text.charCodeAt(0).toString(16).padStart(4, "0");
  const notice = (clientState: string, over: object = {}) => ({ subscriptionId: "s1", clientState, changeType: "updated", ...over });

  it("is an event each, without the secret that proves them", async () => {
    const { workspaceId, post, secret } = await makeSender("microsoft-graph");
    const value = [notice(secret, { id: "n1" }), notice(secret), notice(secret)];
    const body = JSON.stringify({ value }).replace('"n1"', '"n1","number":12345678901234567890');
    const answer = (await (await post(body, {})).json()) as { events: { id: string; duplicate: boolean }[] };
    expect(answer.events.map(({ id, duplicate }) => [id.replace(/^\d+-[0-9a-f]{16}/, "made"), duplicate])).toEqual([
      ["n1", false],
      ["made#2", false],
      ["made#3", false],
    ]);
    const { rows } = await pool().query<{ type: string; body: Buffer }>(
      "SELECT type, body FROM events WHERE workspace_id = $1 ORDER BY seq",
      [workspaceId],
    );
    expect(rows.map(({ type }) => type)).toEqual(["updated", "updated", "updated"]);
    expect(rows[0]?.body.toString()).toBe(
      '{"subscriptionId":"s1","clientState":"[masked]","changeType":"updated","id":"n1","number":12345678901234567890}',
    );
    expect(rows.map(({ body: kept }) => kept.toString()).join()).not.toContain(secret);
  });

  it("is stored whole or not at all: one wrong entry, and it is quarantined in words", async () => {
    const { workspaceId, post, secret } = await makeSender("microsoft-graph");
    const body = JSON.stringify({ value: [notice(secret), notice(secret, { changeType: null })] });
    expect(await (await post(body, {})).json()).toEqual({ received: true, quarantined: "invalid_envelope" });
    expect(await countOf("events", workspaceId)).toBe(0);
    const kept = await newestQuarantined(workspaceId);
    expect(kept).toMatchObject({ detail: expect.stringMatching(/^Entry 2: /) });
    expect(JSON.stringify(kept)).not.toContain(secret);
  });

  it("with an entry of another client state, or without one, is rejected", async () => {
    const { workspaceId, post, secret } = await makeSender("microsoft-graph");
    const statuses = [];
    for (const value of [[notice(secret), notice("another")], [notice(secret), {}], [], "text", [null]])
      statuses.push((await post(JSON.stringify({ value }), {})).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    expect(await countOf("events", workspaceId)).toBe(0);
  });

  it("is stored where some subscriptions have the old secret and some the new one", async () => {
    const { workspaceId, post, secret: old, rotate } = await makeSender("microsoft-graph");
    const { secret } = await rotate({ overlapHours: 24 });
    receiver.renew();
    const value = [notice(old, { id: "n1" }), notice(String(secret), { id: "n2" })];
    expect((await post(JSON.stringify({ value }), {})).status).toBe(200);
    const { rows } = await pool().query(
      `SELECT s.valid_until, convert_from(e.body, 'UTF8') AS body FROM events e JOIN source_secrets s ON s.id = e.secret_id
       WHERE e.workspace_id = $1 ORDER BY e.seq`,
      [workspaceId],
    );
    const masked = (id: string) => ({ valid_until: null, body: JSON.stringify(notice("[masked]", { id })) });
    expect(rows).toEqual([masked("n1"), masked("n2")]);
  });

  it("keeps no secret: neither one that is written with escapes, nor one beside another sender's", async () => {
    const { workspaceId, post, secret } = await makeSender("microsoft-graph");
    const escaped = JSON.stringify({ value: [notice(secret, { id: "n1" })] }).replace(secret, `\\u${hex(secret)}${secret.slice(1)}`);
    expect((await post(escaped, {})).status).toBe(200);
    const { rows } = await pool().query<{ body: Buffer }>("SELECT body FROM events WHERE workspace_id = $1", [workspaceId]);
    expect(JSON.parse(String(rows[0]?.body))).toEqual(notice("[masked]", { id: "n1" }));
    expect((await post(JSON.stringify({ value: [notice(secret), notice("another")] }), {})).status).toBe(401);
    const kept = await newestQuarantined(workspaceId);
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(kept).toMatchObject({ diagnosis: { fix: expect.stringContaining("can't be released") } });
  });

  it("is read for any source that says where it is", async () => {
    const { workspaceId, send } = await makeSender("github", { reading: { items: "$", id: ["id"], type: ["kind"] } });
    const sent = await send('[{"id":"a","kind":"one"},{"id":"b","kind":"two"},{"id":"a","kind":"one"}]');
    expect(await sent.json()).toEqual({
      received: true,
      events: [
        { id: "a", duplicate: false },
        { id: "b", duplicate: false },
        { id: "a", duplicate: true },
      ],
    });
    expect(await countOf("events", workspaceId)).toBe(2);
    const many = JSON.stringify(Array.from({ length: 1001 }, (_, id) => ({ id, kind: "x" })));
    expect((await send(many)).status).toBe(202);
    expect((await send(`[${"[".repeat(20_000)}${"]".repeat(20_000)}]`)).status).toBe(202);
  });
});

it("a platform source is asked nothing", async () => {
  const { workspaceId, source } = await makeSender("slack");
  expect((await receiver.send(`${source}?challenge=a&crc_token=b`, { method: "GET" })).status).toBe(405);
  const body = JSON.stringify({ type: "url_verification", challenge: "echo" });
  expect((await receiver.send(source, { body, headers: { "x-webhook-signature": signBody(Buffer.from(body), "wrong") } })).status).toBe(
    401,
  );
  expect(await countOf("events", workspaceId)).toBe(0);
});

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
    await expect(showVerificationToken(unaudited(notion.owner), notion.sourceId)).rejects.toThrow(/no token to show/);
    expect((await notion.post(JSON.stringify({ verification_token: token }), {})).status).toBe(200);
    await nothingOf(notion.workspaceId);
    const inTenMinutes = new Date(Date.now() + 601_000);
    await expect(showVerificationToken(unaudited(notion.owner, { now: inTenMinutes }), notion.sourceId)).rejects.toThrow(
      /no token to show/,
    );
    expect(await showVerificationToken(unaudited(notion.owner), notion.sourceId)).toEqual({ token });
    await expect(showVerificationToken(unaudited(notion.owner), notion.sourceId)).rejects.toThrow(/no token to show/);
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
    await bold.rotate({ overlapHours: 0, secret: SECRET });
    receiver.renew();
    expect((await bold.post(EVENT, { "x-boldsign-signature": sign(EVENT) })).status).toBe(200);
  });

  it("may bring another one while somebody opens the source for it again", async () => {
    const asana = await makeSender("hmac", learning(ASANA, "x-hook-signature"));
    expect((await asana.post("{}", { "x-hook-secret": "the-first-of-two-secrets" })).status).toBe(200);
    await asana.change({ learning: true });
    receiver.renew();
    expect((await asana.post("{}", { "x-hook-secret": "the-other-of-two-secrets" })).status).toBe(200);
    receiver.renew();
    expect((await asana.post(EVENT, { "x-hook-signature": sign(EVENT, "the-other-of-two-secrets") })).status).toBe(200);
    const github = await makeSender("github");
    await expect(github.change({ learning: true })).rejects.toThrow(/is a source for GitHub/);
  });
});
