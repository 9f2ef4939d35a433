import { RelativeTime } from "#components/ui/time/relative-time";
import type { Overview } from "#lib/contracts/overview";

export function Durability({ overview: { acknowledged, backup } }: { overview: Overview }) {
  return (
    <p className="text-12 text-muted">
      Acknowledged events {acknowledged}.{" "}
      {backup.scheduled ? (
        <>Last good backup: {backup.lastGoodAt === null ? "none yet" : <RelativeTime at={backup.lastGoodAt} />}.</>
      ) : null}
    </p>
  );
}
