import { cn } from "#components/ui/primitives/cn";
import { formatNumber } from "#lib/contracts/counts/format-count";

const WIDTH = 5;

export function DaySpark({ hours, className }: { hours: number[]; className?: string }) {
  const top = Math.max(1, ...hours);
  const sum = hours.reduce((all, hour) => all + hour, 0);
  return (
    <svg
      role="img"
      aria-label={`${formatNumber(sum)} in the last 24 hours`}
      viewBox={`0 0 ${hours.length * WIDTH} 24`}
      className={cn("h-6 w-[120px] shrink-0", className)}
    >
      <rect x={0} y={23} width={hours.length * WIDTH} height={1} className="fill-line-strong" />
      {hours.map((count, hour) => {
        const tall = count === 0 ? 0 : Math.max(2, (count / top) * 22);
        // biome-ignore lint/suspicious/noArrayIndexKey: an hour is identified by its index.
        return <rect key={hour} x={hour * WIDTH + 0.5} y={23 - tall} width={WIDTH - 1} height={tall} className="fill-failed-mark" />;
      })}
    </svg>
  );
}
