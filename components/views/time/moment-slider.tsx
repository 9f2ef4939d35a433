"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useLatest } from "#components/ui/lists/use-latest";
import { IconButton } from "#components/ui/primitives/icon-button";
import { useExactWords } from "#components/ui/time/use-exact-time";
import { MomentTrack } from "#components/views/time/moment-track";
import { momentIndex, momentWords } from "#components/views/time/moments";
import type { ViewMoment } from "#lib/contracts/views";

/** Milliseconds, so that dragging past moments doesn't request each of them. */
const SETTLE_MS = 120;

type MomentSliderProps = {
  label: string;
  moments: ViewMoment[];
  at: string | null;
  from?: string | null;
  /** True if its right end is the latest state, or the last moment. */
  endsNow: boolean;
  onChange: (at: string | null) => void;
};

export function MomentSlider({ label, moments, at, from = null, endsNow, onChange }: MomentSliderProps) {
  const id = useId();
  const exactWords = useExactWords();
  // Both sliders share one scale: one that may not reach the latest state stops one short of it.
  const last = endsNow ? moments.length : moments.length - 1;
  const [index, moveTo] = useSettled(Math.min(last, momentIndex(moments, at)), (next) => onChange(moments[next]?.at ?? null));
  const move = (next: number) => moveTo(Math.min(last, next));
  const moment = moments[index];
  const words = moment ? `${exactWords(Date.parse(moment.at))}, ${momentWords(moment)}` : "Latest";
  const first = from === null ? null : momentIndex(moments, from);
  return (
    <div className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-x-2">
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      <span className="min-w-0 truncate text-right text-12 max-rail:col-span-3 max-rail:row-start-2 max-rail:text-left" title={words}>
        {moment ? (
          <>
            <span className="text-muted">{momentWords(moment)}</span>{" "}
            <time dateTime={moment.at} className="font-mono">
              {exactWords(Date.parse(moment.at))}
            </time>
          </>
        ) : (
          <span className="text-muted">Latest</span>
        )}
      </span>
      <span className="flex max-rail:col-start-3">
        <IconButton
          size="sm"
          label={`${label}: previous change`}
          icon={<ChevronLeft />}
          disabled={index === 0}
          onClick={() => move(index - 1)}
        />
        <IconButton
          size="sm"
          label={`${label}: next change`}
          icon={<ChevronRight />}
          disabled={index === last}
          onClick={() => move(index + 1)}
        />
      </span>
      <div className="col-span-3">
        <MomentTrack moments={moments} index={index} from={first} />
        <input
          id={id}
          type="range"
          min={0}
          max={moments.length}
          step={1}
          value={index}
          aria-valuetext={words}
          onChange={(event) => move(Number(event.target.value))}
          className="moment-range -mt-1 block h-5 w-full cursor-pointer"
        />
      </div>
    </div>
  );
}

/** Shows own moves at once and reports them after a pause. Until the given index follows, the next step counts from what is shown. */
function useSettled(given: number, report: (index: number) => void): [number, (index: number) => void] {
  const [moved, setMoved] = useState<{ index: number; reported: boolean } | null>(null);
  const [seen, setSeen] = useState(given);
  const latest = useLatest({ given, report });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (seen !== given) {
    setSeen(given);
    if (moved?.reported) setMoved(null);
  }
  function move(index: number) {
    setMoved({ index, reported: false });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setMoved(index === latest.current.given ? null : { index, reported: true });
      latest.current.report(index);
    }, SETTLE_MS);
  }
  return [moved?.index ?? given, move];
}
