import { beforeEach, describe, expect, it } from "vitest";
import { env } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { REJECTIONS_PER_IP } from "#lib/ingest/receiver-limits";
import { CommitHealth } from "#lib/ingest/receiver-log";
import { systemClock } from "#lib/time/clock";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { atSize } from "#tests/support/pace";
import { receiversUnderTest, useReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

// What each answer of the table in tests/field/receiver-answers.test.ts takes in.

const { url } = useDatabase();
/** Together within the 5 s of an answer, on a busy machine as well. */
const AT_ONCE = atSize(200, 40);

describe.each(receiversUnderTest())("through the $name receiver", (receiver) => {
  let source: string;
  let sourceId: string;

  useReceiver(receiver);
  beforeEach(async () => {
    ({ source, sourceId } = await makeWorkspace());
  });

  const post = (init: Parameters<typeof receiver.send>[1]) => receiver.send(source, init);
  const stored = async () => (await pool().query("SELECT * FROM events WHERE source_id = $1", [sourceId])).rows;
  const quarantined = async () => (await pool().query("SELECT * FROM quarantine WHERE source_id = $1", [sourceId])).rows;

  it.each([
    ["no id", { id: undefined }],
    ["an id that is a number", { id: 7 }],
    ["created as text", { created: "yesterday" }],
    ["no data", { data: undefined }],
    ["data that is a list", { data: [] }],
    ["an id that no identifier is", { id: "evt_\u0000" }],
  ])("quarantines a verified body that is not an envelope: %s", async (_, overrides) => {
    const body = envelope(overrides);
    const answer = await post(signed(body));
    expect(answer.status).toBe(202);
    expect(await answer.json()).toEqual({ received: true, quarantined: "invalid_envelope" });
    const [row] = await quarantined();
    expect(row).toMatchObject({ reason: "invalid_envelope", verified: true });
    expect(row.body.toString()).toBe(body);
    expect(await stored()).toEqual([]);
  });

  it.each(["null", "[]", "7", '"text"'])("quarantines a verified body that is JSON but no object: %s", async (body) => {
    const answer = await post(signed(body));
    expect([answer.status, await answer.json()]).toEqual([202, { received: true, quarantined: "invalid_envelope" }]);
  });

  it.each([
    ["missing", "signature_missing", () => ({})],
    ["63 digits", "signature_malformed", (right: string) => ({ "x-webhook-signature": right.slice(1) })],
    ["65 digits", "signature_malformed", (right: string) => ({ "x-webhook-signature": `${right}0` })],
    ["prefixed", "signature_malformed", (right: string) => ({ "x-webhook-signature": `sha256=${right}` })],
    ["base64", "signature_malformed", (right: string) => ({ "x-webhook-signature": Buffer.from(right, "hex").toString("base64") })],
    ["given twice", "signature_repeated", (right: string) => ({ "x-webhook-signature": `${right}, ${right}` })],
    ["of another secret", "signature_mismatch", () => ({ "x-webhook-signature": sign("{}", "another") })],
  ])("refuses with 401 and quarantines when the signature is %s", async (_, reason, headersOf) => {
    const body = envelope();
    const answer = await post({ body, headers: headersOf(sign(body)) as Record<string, string> });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({ status: 401, code: reason });
    const [row] = await quarantined();
    expect(row).toMatchObject({ reason, verified: false });
    expect(row.body.toString()).toBe(body);
    expect(await stored()).toEqual([]);
  });

  it("refuses each single changed byte of a signed body", async () => {
    const body = Buffer.from(envelope({ data: {} }));
    const signature = sign(body);
    for (let at = 0; at < body.length; at += 7) {
      const changed = Buffer.from(body);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const answer = await post({ body: changed, headers: { "x-webhook-signature": signature } });
      expect(answer.status, `byte ${at}`).toBe(401);
    }
  });

  it("accepts a signature in capitals", async () => {
    const body = envelope();
    expect((await post({ body, headers: { "x-webhook-signature": sign(body).toUpperCase() } })).status).toBe(200);
  });

  it("accepts a signature over the re-serialized body, and records that form", async () => {
    const body = JSON.stringify(JSON.parse(envelope()), null, 2);
    const answer = await post({ body, headers: { "x-webhook-signature": sign(JSON.stringify(JSON.parse(body))) } });
    expect(answer.status).toBe(200);
    expect((await stored()).map((row) => row.signature_form)).toEqual(["reserialized"]);
  });

  it("answers 503 for a source whose secret the vault can't open, with the cause; readiness names the key; the log says it once", async () => {
    await pool().query(
      "UPDATE source_secrets SET sealed = regexp_replace(sealed, '^([^.]+)[.][^.]+', '\\1.gone'), key_id = 'gone' WHERE source_id = $1",
      [sourceId],
    );
    const log = captureLog();
    const answers = [await post(signed(envelope())), await post(signed(envelope())), await post(signed(envelope()))];
    const lines = log.text();
    log.stop();
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(await answers[0]?.json()).toMatchObject({ code: "vault_key_missing", detail: expect.stringContaining("VAULT_KEYS") });
    expect([...(await stored()), ...(await quarantined())]).toEqual([]);
    expect(lines.match(/webhooks were answered 503/g)).toHaveLength(1);
    const { status, receiver: part } = await readReadiness(new CommitHealth(systemClock));
    expect({ status, ok: part.ok, detail: part.detail }).toEqual({
      status: "not_ready",
      ok: false,
      detail: `can't verify webhooks of ${source}, which are answered 503: the key gone is missing from VAULT_KEYS`,
    });
    await pool().query("DELETE FROM source_secrets WHERE source_id = $1", [sourceId]);
  });

  it("takes a body of exactly the limit and refuses one byte more with 413", async () => {
    const limit = env().WEBHOOK_MAX_BYTES;
    const base = envelope({ data: { filler: "" } });
    const full = base.replace('"filler":""', `"filler":"${"x".repeat(limit - base.length)}"`);
    expect(Buffer.byteLength(full)).toBe(limit);
    expect((await post(signed(full))).status).toBe(200);
    const answer = await post(signed(`${full} `));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: "too_large" });
    expect(await stored()).toHaveLength(1);
  });

  it("answers 429 with Retry-After when an address goes on being refused, and still takes what verifies", { tags: ["deep"] }, async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent <= REJECTIONS_PER_IP; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => post({ body: "{}" })));
      statuses.push(...answers.map((answer) => answer.status));
    }
    const answer = await post({ body: "{}" });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(statuses.filter((status) => status === 401)).toHaveLength(REJECTIONS_PER_IP);
    expect((await quarantined()).length).toBeLessThanOrEqual(300);
    expect((await post(signed(envelope()))).status).toBe(200);
  });

  it(`stores one event once when it comes ${AT_ONCE} times at once`, async () => {
    const message = signed(envelope({ id: "evt_crowd" }));
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => post(message)));
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { duplicate: boolean }[];
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(bodies.filter((body) => !body.duplicate)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
    const { rows } = await pool().query("SELECT repeats FROM event_keys WHERE source_id = $1", [sourceId]);
    expect(rows).toEqual([{ repeats: AT_ONCE - 1 }]);
  });

  it("is tested on a database of its own", () => {
    expect(env().DATABASE_URL).toBe(url());
  });
});
