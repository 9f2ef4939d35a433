import { formatNumber } from "#lib/contracts/counts/format-count";
import { say } from "#lib/processes/progress";

const SAY_EVERY_MS = 1000;

type Progress = { phase: string; done: number; total: number };

/** Prints phase, rows and rate once a second. */
export function rowsProgress(unit: "rows" | "events"): (progress: Progress) => void {
  let phase = { name: "", since: performance.now(), said: 0 };
  return ({ phase: name, done, total }) => {
    const now = performance.now();
    if (phase.name !== name) phase = { name, since: now, said: now };
    else if (now - phase.said < SAY_EVERY_MS) return;
    phase.said = now;
    const rate = Math.round((done / Math.max(1, now - phase.since)) * 1000);
    if (name === "uploading" || name === "downloading") return say(`  ${name}: ${mb(done)} of ${mb(total)} MB, ${mb(rate)} MB a second`);
    const count = total > 0 ? `${formatNumber(done)} of about ${formatNumber(total)} ${unit}` : `${formatNumber(done)} ${unit}`;
    say(done === 0 || rate === 0 || now === phase.since ? `  ${name} …` : `  ${name}: ${count}, ${formatNumber(rate)} a second`);
  };
}

const mb = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
