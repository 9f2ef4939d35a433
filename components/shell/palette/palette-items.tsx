import { Command, defaultFilter } from "cmdk";
import type { ReactNode } from "react";
import { Kbd } from "#components/ui/primitives/kbd";
import type { ViewSearchResult } from "#lib/contracts/views";

export type PaletteItem = {
  /** Compared with the typed text; unique. */
  value: string;
  also?: string[] | undefined;
  icon: ReactNode;
  label: ReactNode;
  keys?: string | undefined;
  beside?: string;
  run: () => void;
};

export type PaletteGroup = { heading: string; items: PaletteItem[] };

export function Group({ heading, items }: PaletteGroup) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-faint"
    >
      {items.map((item) => (
        <Item key={item.value} {...item} />
      ))}
    </Command.Group>
  );
}

function Item({ value, icon, label, keys, beside, run }: PaletteItem) {
  return (
    <Command.Item
      value={value}
      onSelect={run}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2 text-13 data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {beside === undefined ? null : <span className="max-w-[45%] shrink-0 truncate text-12 text-muted">{beside}</span>}
      {keys === undefined ? null : <Kbd>{keys}</Kbd>}
    </Command.Item>
  );
}

type Rankable = { value: string; also?: string[] | undefined };

export const SEARCH_EVENTS = "search events";

/** Value of the item that opens a page by the looks of a typed ID, whether or not there is such a record. */
export const guessValue = (typed: string): string => `open ${typed.trim()}`;

export const recordValue = ({ kind, id }: ViewSearchResult): string => `record ${kind}:${id}`;

const WHOLE_LABEL = 4;
const WHOLE_NAME = 3;
/** From this score of cmdk on (0 to 1) the text matches whole beginnings of words. */
const CLEAR_MATCH = 0.5;
const WEAK_MATCH = 0.1;
/** Below the records that match, which exist. */
const GUESS = 0.5;

/** Returns matching groups, best first: exact names, clear matches, then the server's `records`. cmdk itself sorts only within groups. */
export function rankGroups<Item extends Rankable, Group extends { items: Item[] }>(
  groups: Group[],
  records: ViewSearchResult[],
  text: string,
): Group[] {
  if (text.trim() === "") return groups.filter(({ items }) => items.length > 0);
  return groups
    .map((group) => {
      const ranked = group.items.map((item) => ({ item, rank: rankItem(item, records, text) })).filter(({ rank }) => rank > 0);
      ranked.sort((a, b) => b.rank - a.rank);
      return { group: { ...group, items: ranked.map(({ item }) => item) }, rank: ranked[0]?.rank ?? 0 };
    })
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ group }) => group);
}

/** Returns 0 to leave an item out. So are loose, letter by letter matches: Enter must not run something nobody named. */
function rankItem({ value, also }: Rankable, records: ViewSearchResult[], typed: string): number {
  const text = typed.trim().toLowerCase();
  if (value === SEARCH_EVENTS) return WEAK_MATCH;
  if (value === guessValue(typed)) return records.some((record) => includes(record, text)) ? GUESS : WHOLE_LABEL;
  const at = records.findIndex((record) => recordValue(record) === value);
  const record = records[at];
  if (record) return namesOf(record).includes(text) ? WHOLE_NAME : rankRecord(record, text) - at / 1000;
  if (value.toLowerCase() === text) return WHOLE_LABEL;
  const score = defaultFilter(value, typed, also);
  if (score >= CLEAR_MATCH) return 1 + score;
  return score > WEAK_MATCH ? score : 0;
}

export const hasExactName = (records: ViewSearchResult[], typed: string): boolean =>
  records.some((record) => namesOf(record).includes(typed.trim().toLowerCase()));

const rankRecord = (record: ViewSearchResult, text: string) => (namesOf(record).some((name) => name.startsWith(text)) ? 0.9 : 0.6);

const includes = (record: ViewSearchResult, text: string) => namesOf(record).some((name) => name.includes(text));

const namesOf = ({ label, id }: ViewSearchResult) => [label, id].map((name) => name.toLowerCase());
