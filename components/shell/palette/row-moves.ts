import { runOnArrival } from "./commands.tsx";

/** Rows of a table with `data-rows`, or marked list entries. */
const ROW = "[data-rows] tbody tr:not([aria-hidden]), li[data-row]";
const LINK = "a[data-row-link]";
const CHECKBOX = "[role=checkbox], input[type=checkbox]";

const REDELIVER: [path: string, command: string][] = [
  ["/events/", "Re-deliver this event"],
  ["/issues/", "Re-deliver failed events"],
];

/** The row that had the focus last: keys continue from it after a click elsewhere. */
let last: HTMLElement | null = null;

export function remember({ target }: FocusEvent): void {
  const row = target instanceof Element ? target.closest<HTMLElement>(ROW) : null;
  if (row) last = row;
}

export const next = (): void => move(1);

export const previous = (): void => move(-1);

export const open = (): void => linkOf(current())?.click();

export const select = (): void => current()?.querySelector<HTMLElement>(CHECKBOX)?.click();

export const end = (): void => current()?.querySelector<HTMLElement>("[data-on-key=e]")?.click();

/** Returns the visible rows of the inspector if it has the focus, else of the page. */
function rows(): HTMLElement[] {
  const aside = document.activeElement?.closest("aside") ?? null;
  const scope = aside ?? document.getElementById("content");
  const all = [...(scope?.querySelectorAll<HTMLElement>(ROW) ?? [])];
  return all.filter((row) => row.closest("aside") === aside && row.getClientRects().length > 0);
}

function current(list = rows()): HTMLElement | undefined {
  const focused = document.activeElement?.closest<HTMLElement>(ROW);
  const opened = list.filter((row) => row.ariaSelected === "true");
  return [focused, last, opened.length === 1 ? opened[0] : undefined].find((row) => row && list.includes(row)) ?? undefined;
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

export function redeliver() {
  const selection = document.querySelector<HTMLElement>("#content [data-on-key=r]");
  if (selection) return selection.click();
  const link = linkOf(current());
  const path = link?.getAttribute("href") ?? "";
  const [, command] = REDELIVER.find(([prefix]) => path.startsWith(prefix)) ?? [];
  if (command === undefined) return;
  runOnArrival(command);
  link?.click();
}
