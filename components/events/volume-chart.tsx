"use client";

import { useQuery } from "@tanstack/react-query";
import { type PointerEvent, useState } from "react";
import { VolumeBars } from "#components/events/volume-bars";
import { durationWords } from "#components/ui/time-words";
import { useClockWords, useExactWords } from "#components/ui/use-exact-words";
import { compact } from "#lib/client/event-filter";
import { periodOf, totalWords, volumeQuery } from "#lib/client/event-volume";
import type { EventFilter } from "#lib/contracts/events";

type VolumeChartProps = { filter: EventFilter; onChange: (filter: EventFilter) => void };

/** How many events match, over time. Drawing over it zooms in; the period's menu does the same by keyboard. */
export function VolumeChart({ filter, onChange }: VolumeChartProps) {
  const { data } = useQuery(volumeQuery(filter));
  const [brush, setBrush] = useState<{ first: number; last: number } | null>(null);

  const barAt = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const bars = data?.bars.length ?? 1;
    return Math.max(0, Math.min(bars - 1, Math.floor(((event.clientX - left) / width) * bars)));
  };
  function begin(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0 || !data) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setBrush({ first: barAt(event), last: barAt(event) });
  }
  function end() {
    const period = data && brush ? periodOf(data, brush.first, brush.last) : null;
    setBrush(null);
    if (period) onChange(compact({ ...filter, period: undefined, ...period }));
  }
  const drawn = data && brush ? periodOf(data, brush.first, brush.last) : null;
  return (
    <figure className="flex flex-col gap-1">
      <div
        className="relative h-14 cursor-crosshair touch-pan-y select-none border-b border-line-strong"
        onPointerDown={begin}
        onPointerMove={(event) => brush && setBrush({ ...brush, last: barAt(event) })}
        onPointerUp={end}
        onPointerCancel={() => setBrush(null)}
      >
        {data ? <VolumeBars volume={data} brush={brush} /> : null}
      </div>
      <figcaption className="flex h-4 justify-between gap-4 text-12 text-muted">
        {data ? <End at={drawn?.from ?? data.from} seconds={data.stepSeconds < 60} /> : <span />}
        <span aria-live="polite" className="shrink-0 font-medium text-text">
          {data ? totalWords(data) : null}
          {data ? (
            <span className="font-normal text-faint max-rail:hidden">{`, a bar is ${durationWords(data.stepSeconds * 1000)}`}</span>
          ) : null}
        </span>
        {data ? <End at={drawn?.to ?? data.to} seconds={data.stepSeconds < 60} /> : <span />}
      </figcaption>
    </figure>
  );
}

/** Where the plot begins or ends, as exact as its bars are. */
function End({ at, seconds }: { at: string; seconds: boolean }) {
  const clockWords = useClockWords(seconds);
  const exactWords = useExactWords();
  return (
    <time dateTime={at} title={exactWords(Date.parse(at))} className="truncate">
      {clockWords(Date.parse(at))}
    </time>
  );
}
