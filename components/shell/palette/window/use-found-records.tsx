"use client";

import { useEffect, useState } from "react";
import { useViewSearch } from "#lib/client/queries/views";
import type { ViewSearchResult } from "#lib/contracts/views";

/** Between the last key and the search. Milliseconds. */
const PAUSE_MS = 120;

/** Pages and actions stay in view beside them. */
const MAX_RECORDS = 5;

const NONE: ViewSearchResult[] = [];

/** The records that the palette's text finds. `searching` until the server has answered for just that text. */
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
    // Results of the text before stay only while they match: Enter must not open what nobody named.
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
