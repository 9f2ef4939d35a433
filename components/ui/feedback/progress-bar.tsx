/** `share`: 0 to 1, null if unknown; `words`: its text for screen readers. */
export function ProgressBar({ label, share, words }: { label: string; share: number | null; words: string }) {
  const percent = share === null ? null : Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { "aria-valuenow": percent })}
      aria-valuetext={words}
      className="h-1.5 overflow-hidden rounded-sm bg-hover"
    >
      <div className="h-full rounded-sm bg-working-mark transition-[width] duration-150" style={{ width: `${percent ?? 4}%` }} />
    </div>
  );
}
