import { Banner } from "#components/ui/feedback/problem-notice";
import { Button } from "#components/ui/primitives/button";
import { ExactTime } from "#components/ui/relative-time";
import { coverageWords } from "#lib/client/format/history-coverage";
import type { HistoryCoverage } from "#lib/contracts/events/events";

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
