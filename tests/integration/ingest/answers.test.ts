import { beforeEach, describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { CommitHealth } from "#lib/ingest/receiver-log";
import { systemClock } from "#lib/time/clock";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { atSize } from "#tests/support/pace";
import { receiversUnderTest, useReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

// Beside the table of answers in tests/field/receiver-answers.test.ts.

useDatabase();
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
});
