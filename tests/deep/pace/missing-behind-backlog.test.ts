import { expect, test } from "vitest";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { processEvents } from "#lib/flows/processing/process-events";
import { listMissingEvents } from "#lib/missing-events/missing-event-store";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const PAIRS = 25_000;
const HOUR_AGO = Math.floor(Date.now() / 1000) - 3600;
/** After the time that a missing event waits at least. */
const later = () => new Date(Date.now() + 40_000);

test(`no event is called missing that is among ${2 * PAIRS} that wait to be applied`, async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const event = (type: "processed" | "uploaded", n: number) => ({
    eventId: `evt_${type}_${n}`,
    type: `document.${type}`,
    created: HOUR_AGO + Math.floor(n / 100),
    data: { documentId: `doc_${n}` },
  });
  // Every upload stands behind all that imply it.
  for (const type of ["processed", "uploaded"] as const)
    await append(
      workspaceId,
      sourceId,
      Array.from({ length: PAIRS }, (_, n) => event(type, n)),
    );
  const counts: number[] = [];
  const look = async () => {
    await detectMissingEvents(later());
    const { data } = await listMissingEvents(workspaceId, { state: "open", rule: "processed_never_uploaded" }, { limit: 100 });
    counts.push(data.length);
  };
  let applied = 0;
  for (let batch = await processEvents(); batch > 0; batch = await processEvents()) {
    const before = Math.floor(applied / 5000);
    applied += batch;
    if (Math.floor(applied / 5000) > before) await look();
  }
  await drainInbox();
  await look();
  figure(`${applied} applied, looked ${counts.length} times meanwhile: ${Math.max(...counts)} called missing`);
  expect(applied).toBeGreaterThanOrEqual(2 * PAIRS);
  expect(counts.length).toBeGreaterThan(5);
  expect(Math.max(...counts)).toBe(0);
}, 600_000);
