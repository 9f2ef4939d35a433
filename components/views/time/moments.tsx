import { Banner } from "#components/ui/feedback/problem-notice";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { Button } from "#components/ui/primitives/button";
import { ExactTime } from "#components/ui/relative-time";
import { coverageWords } from "#lib/client/format/history-coverage";
import type { EventSummary, HistoryCoverage } from "#lib/contracts/events/events";
import { formatNumber } from "#lib/contracts/format-count";
import type { ViewMoment } from "#lib/contracts/views";

/** `asOf` null: the latest state; `since` null: no comparison. */
export type Moments = { asOf: string | null; since: string | null };

/** Keeps `?asOf=` and `&since=` in the URL; an invalid time counts as none. Sliding is one step of the history. */
export function useMoment(): Moments & { setMoments: (moments: Moments) => void } {
  const { query, change } = usePageQuery();
  return { asOf: readable(query.get("asOf")), since: readable(query.get("since")), setMoments: (moments) => change(moments, "part") };
}

const readable = (text: string | null) => (text === null || Number.isNaN(Date.parse(text)) ? null : text);

/** Returns the slider position of the last moment not after `asOf`. The right end, one past the last moment, is the latest state. */
export function momentIndex(moments: ViewMoment[], asOf: string | null): number {
  const at = asOf === null ? Number.NaN : Date.parse(asOf);
  if (Number.isNaN(at)) return moments.length;
  return Math.max(
    0,
    moments.findLastIndex((moment) => Date.parse(moment.at) <= at),
  );
}

export function momentWords({ titles, events }: ViewMoment): string {
  const [first = "An event"] = titles;
  return events === 1 ? first : `${first} and ${formatNumber(events - 1)} more`;
}

/** Orders by the platform's time, newest first: events may have arrived in another order. */
export function byPlatformTime(events: EventSummary[]): EventSummary[] {
  return [...events].sort((a, b) => b.created.localeCompare(a.created) || b.receivedAt.localeCompare(a.receivedAt));
}

type PastBannerProps = {
  asOf: string;
  /** True while the page still shows another time. */
  loading: boolean;
  shown: { coverage: HistoryCoverage | null; knownFrom: string | null } | undefined;
  onBack: () => void;
};

export function PastBanner({ asOf, loading, shown, onBack }: PastBannerProps) {
  return (
    <Banner
      tone="attention"
      action={
        <Button size="sm" onClick={onBack}>
          Back to latest
        </Button>
      }
    >
      {loading ? (
        <>
          Loading the state as of <ExactTime at={asOf} className="font-medium" />…
        </>
      ) : (
        <>
          As of <ExactTime at={asOf} className="font-medium" />: built from events created up to then. Later events are not included.
          {shown?.coverage
            ? ` ${coverageWords(shown.coverage)}, because there are too many to read at once. Fields set only by older events are missing.`
            : ""}
          {shown?.knownFrom ? (
            <>
              {" "}
              Events were deleted by retention: what they replaced is not known before <ExactTime at={shown.knownFrom} />.
            </>
          ) : null}
        </>
      )}
    </Banner>
  );
}
