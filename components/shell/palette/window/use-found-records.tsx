"use client";

import { useEffect, useState } from "react";
import { useViewSearch } from "#lib/client/queries/views";
import type { ViewSearchResult } from "#lib/contracts/views";

/** Pause in typing before the search. Milliseconds. */
const PAUSE_MS = 120;

/** Few, so that pages and actions stay in view. */
const MAX_RECORDS = 5;

const NONE: ViewSearchResult[] = [];

/** Returns the records that match. `searching` until the server has answered for exactly that text. */
export function useFoundRecords(text: string): { records: ViewSearchResult[]; approximate: boolean; searching: boolean } {
  const typed = text.trim();
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, isFetching, isPlaceholderData } = useViewSearch(asked.slice(0, 200));
  const current = typed === asked && !isPlaceholderData;
  const all = typed === "" ? NONE : (data?.data ?? NONE).slice(0, MAX_RECORDS);
  return {
    // Earlier results stay only while they match: Enter must not open something nobody named.
    records: current ? all : all.filter((record) => contains(record, typed)),
    approximate: current && data?.approximate === true,
    searching: typed !== asked || isFetching,
  };
}

function contains({ id, label }: ViewSearchResult, typed: string): boolean {
  const words = `${id} ${label}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}
