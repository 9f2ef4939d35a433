"use client";

import { useSyncExternalStore } from "react";

/** The columns of the list that may be hidden, and what they are called. */
export const COLUMNS = { subject: "Subject", source: "Source", received: "Received", size: "Size" } as const;
export type ColumnName = keyof typeof COLUMNS;

const KEY = "signalbox.events.hidden-columns";
const NONE = "";
const listeners = new Set<() => void>();

const read = (): string => {
  try {
    return localStorage.getItem(KEY) ?? NONE;
  } catch {
    return NONE; // a browser that keeps nothing shows all
  }
};

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** The hidden columns of this browser, and how to show or hide one. */
export function useColumns() {
  const text = useSyncExternalStore(subscribe, read, () => NONE);
  const hidden = text.split(",").filter((name): name is ColumnName => Object.hasOwn(COLUMNS, name));
  const toggle = (name: ColumnName, shown: boolean) => {
    const next = shown ? hidden.filter((each) => each !== name) : [...hidden, name];
    try {
      localStorage.setItem(KEY, next.join(","));
    } catch {
      return;
    }
    for (const listener of listeners) listener();
  };
  return { hidden, toggle };
}

/** Marks what is around the table: cells of a hidden column read it by `HIDDEN`. */
export const columnMarks = (hidden: readonly ColumnName[]) => Object.fromEntries(hidden.map((name) => [`data-without-${name}`, ""]));

/** The class of each column's cells. Whole words, for Tailwind to find. */
export const HIDDEN: Record<ColumnName, string> = {
  subject: "in-data-without-subject:hidden",
  source: "in-data-without-source:hidden",
  received: "in-data-without-received:hidden",
  size: "in-data-without-size:hidden",
};
