import fc from "fast-check";
import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { eventSecondsSql } from "#lib/db/sql";
import { eventSeconds } from "#lib/platform/event-time";
import { useDatabase } from "#tests/support/database";

useDatabase();

it("the time that orders an event is the same in SQL and in code", async () => {
  const received = fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 });
  const near = fc.tuple(received, fc.integer({ min: -400_000, max: 400_000 }), fc.constantFrom(0.001, 1, 1000));
  const anywhere = fc.tuple(received, fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, 1, 1e11 - 1, 1e11, 1e14 - 1, 1e14)));
  const cases = [
    ...fc.sample(near, 500).map(([at, ahead, unit]) => ({ at, created: Math.round((at + ahead) * unit) })),
    ...fc.sample(anywhere, 500).map(([at, created]) => ({ at, created })),
  ];
  const { rows } = await pool().query<{ seconds: number }>(
    `SELECT ${eventSecondsSql("e")} AS seconds FROM unnest($1::timestamptz[], $2::bigint[]) WITH ORDINALITY AS e(received_at, created, n) ORDER BY n`,
    [cases.map(({ at }) => new Date(at).toISOString()), cases.map(({ created }) => created)],
  );
  expect(rows.map(({ seconds }) => seconds)).toEqual(cases.map(({ at, created }) => eventSeconds(created, new Date(at))));
});
