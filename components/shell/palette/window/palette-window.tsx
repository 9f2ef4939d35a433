"use client";

import { Command, defaultFilter } from "cmdk";
import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { TypedAhead } from "#components/shell/palette/keystroke-buffer";
import type { PaletteScope } from "#components/shell/palette/places";
import type { useFocusBack } from "#components/ui/overlay/panes/use-focus-back";
import { Kbd } from "#components/ui/primitives/kbd";
import type { ViewSearchResult } from "#lib/contracts/views";
import { FoundGroups, recordValue } from "./palette-found.tsx";
import { EverywhereGroups, PlaceGroups, SEARCH_EVENTS } from "./palette-groups.tsx";
import { useFoundRecords } from "./use-found-records.tsx";
import { usePaletteSelection } from "./use-palette-selection.tsx";
import { usePaletteText } from "./use-palette-text.tsx";

type PaletteWindowProps = PaletteScope & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Returns what was typed before the palette had loaded. */
  takeTyped: () => TypedAhead;
  focusBack: ReturnType<typeof useFocusBack>["content"];
};

/** What Ctrl K opens: records by name or id, every page and action, what was open last. */
export function PaletteWindow({ rights, scope, open, onOpenChange, takeTyped, focusBack }: PaletteWindowProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="enter-fade fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          {...focusBack}
          aria-describedby={undefined}
          className="enter-rise fixed top-[14vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-[560px] -translate-x-1/2 overflow-hidden rounded-md border border-line-strong bg-raised shadow-raised"
        >
          <Radix.Title className="sr-only">Search or jump</Radix.Title>
          <Commands rights={rights} scope={scope} takeTyped={takeTyped} close={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const WEAK_MATCH = 0.1;
const WHOLE_NAME = 2;

/**
 * Searching events is always offered, last. Items that match only loosely,
 * letter by letter, are left out: Enter must not run something nobody named.
 * The server has matched the records; a whole name comes before everything.
 */
function rank(records: ViewSearchResult[], value: string, typed: string, keywords?: string[]): number {
  if (value === SEARCH_EVENTS) return WEAK_MATCH;
  const at = records.findIndex((record) => recordValue(record) === value);
  const record = records[at];
  if (record) {
    const names = [record.label, record.id].map((name) => name.toLowerCase());
    const text = typed.trim().toLowerCase();
    if (names.includes(text)) return WHOLE_NAME;
    return (names.some((name) => name.startsWith(text)) ? 0.9 : 0.5) - at / 1000;
  }
  const score = defaultFilter(value, typed, keywords);
  return score > WEAK_MATCH ? score : 0;
}

type CommandsProps = Pick<PaletteWindowProps, "rights" | "scope" | "takeTyped"> & { close: () => void };

function Commands({ takeTyped, ...rest }: CommandsProps) {
  const { text, setText, input } = usePaletteText(takeTyped);
  const { records, approximate, searching } = useFoundRecords(text);
  const results = records.map(recordValue).join("\n");
  const exact = records.some((record) => rank(records, recordValue(record), text) === WHOLE_NAME);
  const selection = usePaletteSelection({ text, searching, results, exact, fallback: SEARCH_EVENTS });
  return (
    <Command label="Search or jump" loop filter={(value, typed, keywords) => rank(records, value, typed, keywords)} {...selection}>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden className="size-4 text-faint" />
        <Command.Input
          ref={input}
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder="Search records, pages and actions, or paste an ID"
          className="h-12 min-w-0 flex-1 bg-transparent text-14 outline-none placeholder:text-faint"
        />
        <Kbd>Esc</Kbd>
      </div>
      <Command.List className="max-h-[min(400px,56vh)] overflow-y-auto p-1">
        <Command.Empty className="px-3 py-6 text-center text-13 text-muted">No matching record, page or action.</Command.Empty>
        <FoundGroups text={text} records={records} approximate={approximate} {...rest} />
        <PlaceGroups {...rest} />
        <EverywhereGroups text={text} {...rest} />
      </Command.List>
    </Command>
  );
}
