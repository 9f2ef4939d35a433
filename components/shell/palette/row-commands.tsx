"use client";

import { useEffect } from "react";
import { type Command, runOnArrival } from "./commands.tsx";

/** Rows of a list: of a table of ours, or an entry marked as one. */
const ROW = "[data-rows] tbody tr:not([aria-hidden]), li[data-row]";
const LINK = "a[data-row-link]";
const CHECKBOX = "[role=checkbox], input[type=checkbox]";

/** Command that `r` runs on the page that a row leads to. */
const REDELIVER: [path: string, command: string][] = [
  ["/events/", "Re-deliver this event"],
  ["/issues/", "Re-deliver failed events"],
];

/** The row that had the focus last: keys go on from there after a click elsewhere. */
let last: HTMLElement | null = null;

/** The keys of rows, the same on every list. A page's own command with the same key comes first. */
export function useRowCommands(): Command[] {
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>(ROW) : null;
      if (row) last = row;
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);
  return COMMANDS;
}

const COMMANDS: Command[] = [
  { label: "Next row", keys: "j", quiet: true, run: () => move(1) },
  { label: "Previous row", keys: "k", quiet: true, run: () => move(-1) },
  { label: "Open row", keys: "o", quiet: true, run: () => linkOf(current())?.click() },
  { label: "Select row", keys: "x", quiet: true, run: () => current()?.querySelector<HTMLElement>(CHECKBOX)?.click() },
  { label: "Re-deliver row or selection", keys: "r", quiet: true, run: redeliver },
  { label: "Resolve or dismiss row", keys: "e", quiet: true, run: () => current()?.querySelector<HTMLElement>("[data-on-key=e]")?.click() },
];

/** The rows that are seen, of the open inspector where it has the focus, else of the page. */
function rows(): HTMLElement[] {
  const aside = document.activeElement?.closest("aside") ?? null;
  const scope = aside ?? document.getElementById("content");
  const all = [...(scope?.querySelectorAll<HTMLElement>(ROW) ?? [])];
  return all.filter((row) => row.closest("aside") === aside && row.getClientRects().length > 0);
}

function current(list = rows()): HTMLElement | undefined {
  const focused = document.activeElement?.closest<HTMLElement>(ROW);
  const open = list.filter((row) => row.ariaSelected === "true");
  return [focused, last, open.length === 1 ? open[0] : undefined].find((row) => row && list.includes(row)) ?? undefined;
}

function move(step: number) {
  const list = rows();
  const from = current(list);
  const at = from === undefined ? 0 : Math.min(list.length - 1, Math.max(0, list.indexOf(from) + step));
  const row = list[at];
  if (!row) return;
  const link = row.querySelector<HTMLElement>(LINK);
  if (!link) row.tabIndex = -1; // a row that leads nowhere takes the focus itself
  (link ?? row).focus();
}

const linkOf = (row: HTMLElement | undefined) => row?.querySelector<HTMLElement>(LINK) ?? row?.querySelector<HTMLElement>("a[href]");

function redeliver() {
  const selection = document.querySelector<HTMLElement>("#content [data-on-key=r]");
  if (selection) return selection.click();
  const link = linkOf(current());
  const path = link?.getAttribute("href") ?? "";
  const [, command] = REDELIVER.find(([prefix]) => path.startsWith(prefix)) ?? [];
  if (command === undefined) return;
  runOnArrival(command);
  link?.click();
}
