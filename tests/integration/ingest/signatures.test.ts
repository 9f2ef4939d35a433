import { describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { RAW_BODIES } from "#tests/support/raw-bodies";
import { headOf, sayRaw, statusOf } from "#tests/support/raw-request";
import { receiversUnderTest, useNodeReceiver, useReceiver } from "#tests/support/receivers";
import { atSize } from "#tests/support/sample";
import { envelope, makeWorkspace, sign } from "#tests/support/webhooks";

useDatabase();

/** Of a long body so many bytes are changed, spread over its length. */
const CHANGES = atSize(60, 2);

/** The bodies as the `data` of an event, and as they are. */
const BODIES = RAW_BODIES.flatMap((body) => {
  const bare = Buffer.from(body);
  const start = Buffer.from('{"id":"evt_9","type":"document.uploaded","created":1760000000,"data":');
  return [bare, Buffer.concat([start, bare, Buffer.from("}")])];
});

const receivers = receiversUnderTest();

describe.each(receivers)("through the $name receiver", (receiver) => {
  useReceiver(receiver);

  it(`takes ${BODIES.length} raw bodies to the byte and refuses each changed one`, { timeout: 300_000 }, async () => {
    const { source, sourceId } = await makeWorkspace();
    let changed = 0;
    let same = 0;
    for (const body of BODIES) {
      const headers = { "x-webhook-signature": sign(body) };
      const right = await receiver.send(source, { body, headers });
      expect([200, 202], `${right.status} for ${body.subarray(0, 80)}`).toContain(right.status);
      for (const at of spread(body.length)) {
        const other = Buffer.from(body);
        other[at] = (other[at] ?? 0) ^ (1 << (at % 8));
        const { status } = await receiver.send(source, { body: other, headers });
        if (saysTheSame(other, body)) same += 1;
        else expect(status, `${other.subarray(0, 120)}`).toBe(401);
        changed += 1;
        if (changed % 10 === 0) receiver.renew(); // the limits have tests of their own, and count processor time
      }
    }
    const { rows } = await pool().query("SELECT count(*) AS n FROM quarantine WHERE source_id = $1 AND NOT verified", [sourceId]);
    expect(rows[0].n).toBeGreaterThan(0);
    figure(
      `${receiver.name}: ${BODIES.length} raw bodies verify; ${changed - same} of ${changed} with one bit changed answer 401, ${same} serialize to what was signed (\\ud800 as \\uD800)`,
    );
  });
});

const right = (body: string) => sign(body);
/** Those that HTTP has a part in; the others are in tests/unit/platform/signature.test.ts. */
const FORMS: [name: string, header: (digest: string) => string][] = [
  ["a no-break space at its end", (digest) => `${digest}\u00a0`],
  ["8,000 digits", () => "0".repeat(8000)],
  ["Arabic digits, as UTF-8", () => Buffer.from("٣".repeat(64)).toString("latin1")],
  ["full-width digits, as UTF-8", () => Buffer.from("３".repeat(64)).toString("latin1")],
  ["only white space", () => "   "],
];

describe("a signature header", () => {
  const receiver = useNodeReceiver();

  it("that the wire lets pass and is no 64 hexadecimal digits is refused, and never answered 500", async () => {
    const { source } = await makeWorkspace();
    const body = envelope();
    const length = String(body.length);
    for (const [name, make] of FORMS) {
      const head = headOf(source, { "content-length": length, "x-webhook-signature": make(right(body)) });
      expect(statusOf(await sayRaw(receiver.port() ?? 0, head, body)), name).toBe(401);
    }
    const twice = headOf(source, {
      "content-length": length,
      "x-webhook-signature": `${right(body)}\r\nx-webhook-signature: ${right(body)}`,
    });
    expect(statusOf(await sayRaw(receiver.port() ?? 0, twice, body)), "the header twice").toBe(401);
    figure(`${FORMS.length + 1} wrong forms of the header on the wire: all 401, none 500`);
    // RFC 9110 section 5.5: white space around it is no part of the value, so the value is right.
    const padded = headOf(source, { "content-length": length, "x-webhook-signature": `  ${right(body)}  ` });
    expect(statusOf(await sayRaw(receiver.port() ?? 0, padded, body))).toBe(200);
  });
});

/** The signature is over the payload serialized as JSON (docs/platform.md, "Webhook signature"): other bytes may spell the same. */
function saysTheSame(other: Buffer, signed: Buffer): boolean {
  try {
    return JSON.stringify(JSON.parse(other.toString())) === signed.toString();
  } catch {
    return false;
  }
}

function spread(length: number): number[] {
  const step = Math.max(1, Math.floor(length / CHANGES));
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step);
}
