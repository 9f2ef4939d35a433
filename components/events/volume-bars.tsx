import { totalWords } from "#lib/client/event-volume";
import type { EventVolume } from "#lib/contracts/events";

type VolumeBarsProps = { volume: EventVolume; brush: { first: number; last: number } | null };

/** The bars as plain SVG: what failed stands at their foot. */
export function VolumeBars({ volume, brush }: VolumeBarsProps) {
  const { bars } = volume;
  const top = Math.max(1, ...bars.map(({ count }) => count));
  // A single failure among thousands is still to be seen.
  const tall = (count: number) => (count === 0 ? 0 : Math.max(3, (count / top) * 94));
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0);
  return (
    <svg
      role="img"
      aria-label={`${totalWords(volume)} over time, ${failed} failed, at most ${top} in one bar`}
      viewBox={`0 0 ${bars.length * 10} 100`}
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-0 size-full"
    >
      {brush ? (
        <rect
          x={Math.min(brush.first, brush.last) * 10}
          width={(Math.abs(brush.last - brush.first) + 1) * 10}
          y={0}
          height={100}
          className="fill-selected"
        />
      ) : null}
      {bars.map(({ at, count, failed: bad }, index) => (
        <g key={at}>
          <rect x={index * 10 + 1} width={8} y={100 - tall(count)} height={tall(count)} className="fill-accent opacity-60" />
          <rect x={index * 10 + 1} width={8} y={100 - tall(bad)} height={tall(bad)} className="fill-failed-mark" />
        </g>
      ))}
    </svg>
  );
}
