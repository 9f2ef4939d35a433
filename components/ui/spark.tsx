import { cn } from "#components/ui/cn";

const HUES = { accent: "fill-accent", failed: "fill-failed-mark", neutral: "fill-line-control" };

/** A row of tiny bars inside a line of text; its words are its label. */
export function Spark({
  values,
  label,
  hue = "neutral",
  className,
}: {
  values: number[];
  label: string;
  hue?: keyof typeof HUES;
  className?: string;
}) {
  const top = Math.max(1, ...values);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * 4} 20`}
      preserveAspectRatio="none"
      className={cn("h-5 w-24", className)}
    >
      {values.map((value, index) => {
        const tall = value === 0 ? 1 : Math.max(2, (value / top) * 20);
        const look = value === 0 ? "fill-line-strong" : HUES[hue];
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time.
        return <rect key={index} x={index * 4} y={20 - tall} width={3} height={tall} className={look} />;
      })}
    </svg>
  );
}
