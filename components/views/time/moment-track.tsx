import type { ViewMoment } from "#lib/contracts/views";

const HEIGHT = 18;
const LOW = 7;
/** Above this, marks are thinner so that they don't merge into one bar. */
const MANY = 100;

type MomentTrackProps = { moments: ViewMoment[]; index: number; from: number | null };

/** Marks the moments above the slider's stops: the higher, the more events; failures in their own colour, later ones faint. */
export function MomentTrack({ moments, index, from }: MomentTrackProps) {
  const fine = moments.length > MANY;
  const most = Math.max(1, ...moments.map(({ events }) => events));
  return (
    // Half the slider's thumb on either side, so that marks and stops line up.
    <div aria-hidden className="mx-2">
      <svg
        viewBox={`0 0 ${Math.max(1, moments.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-[18px] w-full overflow-visible"
      >
        <title>Event marks</title>
        {from === null ? null : (
          <rect x={Math.min(from, index)} y={0} width={Math.abs(index - from)} height={HEIGHT} className="fill-selected" />
        )}
        {moments.map((moment, at) => (
          <line
            key={moment.at}
            x1={at}
            x2={at}
            y1={HEIGHT}
            y2={HEIGHT - LOW - ((HEIGHT - LOW) * Math.log1p(moment.events - 1)) / Math.log1p(most)}
            vectorEffect="non-scaling-stroke"
            strokeWidth={at === index ? 3 : fine ? 1 : 2}
            className={markLook(moment, at, index)}
          />
        ))}
      </svg>
    </div>
  );
}

function markLook(moment: ViewMoment, at: number, index: number): string {
  if (at === index) return moment.failed ? "stroke-failed" : "stroke-accent";
  if (at > index) return "stroke-line-strong";
  return moment.failed ? "stroke-failed-mark" : "stroke-faint";
}
