import { Command } from "cmdk";
import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type KeyboardEvent as KeyEvent, type PointerEvent as PointerMove, useEffect, useRef, useState } from "react";
import { useOpenPage } from "#components/shell/live/connection";
import { useSignOut } from "#components/shell/sign-out";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import type { useFocusBack } from "#components/ui/overlay/focus";
import { Kbd } from "#components/ui/primitives/kbd";
import { useViewSearch } from "#lib/client/queries/views";
import type { ViewSearchResult } from "#lib/contracts/views";
import type { TypedAhead } from "./commands.tsx";
import { type PaletteScope, useEverywhereGroups, useFoundGroups, usePlaceGroups } from "./palette-groups.tsx";
import { Group, guessValue, hasExactName, rankGroups, recordValue, SEARCH_EVENTS } from "./palette-items.tsx";

type PaletteWindowProps = PaletteScope & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  takeTyped: () => TypedAhead;
  focusBack: ReturnType<typeof useFocusBack>["content"];
};

export function PaletteWindow({ rights, scope, open, onOpenChange, takeTyped, focusBack }: PaletteWindowProps) {
  const [leaving, setLeaving] = useState(false);
  const signOut = useSignOut();
  return (
    <>
      <Radix.Root open={open} onOpenChange={onOpenChange}>
        <Radix.Portal>
          <Radix.Overlay className="enter-fade fixed inset-0 z-40 bg-scrim" />
          <Radix.Content
            {...focusBack}
            aria-describedby={undefined}
            className="enter-rise fixed top-[14vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-[560px] -translate-x-1/2 overflow-hidden rounded-md border border-line-strong bg-raised shadow-raised"
          >
            <Radix.Title className="sr-only">Search or jump</Radix.Title>
            <Commands
              rights={rights}
              scope={scope}
              takeTyped={takeTyped}
              close={() => onOpenChange(false)}
              askToSignOut={() => setLeaving(true)}
            />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      <ConfirmDialog
        title="Sign out?"
        description="You need your password or single sign-on to come back."
        confirmLabel="Sign out"
        open={leaving}
        onOpenChange={setLeaving}
        onConfirm={signOut}
      />
    </>
  );
}

type CommandsProps = Pick<PaletteWindowProps, "rights" | "scope" | "takeTyped"> & { close: () => void; askToSignOut: () => void };

function Commands({ rights, scope, takeTyped, close, askToSignOut }: CommandsProps) {
  const open = useOpenPage();
  const { text, setText, input } = usePaletteText(takeTyped);
  const { records, approximate, searching } = useFoundRecords(text);
  const go = (href: string) => {
    close();
    open(href);
  };
  const found = useFoundGroups({ text, records, approximate, scope, go });
  const [own, ...places] = usePlaceGroups({ rights, scope, close, go });
  const everywhere = useEverywhereGroups({ text, close, go, askToSignOut });
  const selection = usePaletteSelection({
    text,
    searching,
    results: records.map(recordValue).join("\n"),
    exact: hasExactName(records, text),
    fallbacks: [SEARCH_EVENTS, guessValue(text)],
  });
  return (
    <Command label="Search or jump" loop shouldFilter={false} {...selection}>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search className="size-4 text-faint" />
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
        {rankGroups([own, ...found, ...places, ...everywhere], records, text).map((group) => (
          <Group key={group.heading} {...group} />
        ))}
      </Command.List>
    </Command>
  );
}

/** Returns the field's text. It starts with the text typed before the field had loaded, and repeats an Enter pressed then. */
function usePaletteText(takeTyped: () => TypedAhead) {
  const [text, setText] = useState("");
  const [entered, setEntered] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // The field has the focus by now, so no key is lost in between.
  useEffect(() => {
    const typed = takeTyped();
    if (typed.text !== "") setText(typed.text);
    setEntered(typed.entered);
  }, [takeTyped]);
  useEffect(() => {
    if (!entered) return;
    // The list has its matches by the next frame.
    const frame = requestAnimationFrame(() => input.current?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
    return () => cancelAnimationFrame(frame);
  }, [entered]);
  return { text, setText, input };
}

/** Pause in typing before the search. Milliseconds. */
const PAUSE_MS = 120;

/** Few, so that pages and actions stay in view. */
const MAX_RECORDS = 5;

const NONE: ViewSearchResult[] = [];

/** Returns the records that match. `searching` until the server has answered for exactly that text. */
function useFoundRecords(text: string): { records: ViewSearchResult[]; approximate: boolean; searching: boolean } {
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

type Options = {
  text: string;
  searching: boolean;
  /** Changes with the results. */
  results: string;
  /** A result has exactly the typed name. */
  exact: boolean;
  /** Items that Enter must not run before the results have arrived. */
  fallbacks: string[];
};

/**
 * Returns the selection props of cmdk's `Command`. When results arrive late, the first item is selected if only `fallbacks` matched before
 * or a name matches exactly; a choice by arrow key or pointer stays. Enter on one of the `fallbacks` waits for the results.
 */
function usePaletteSelection({ text, searching, results, exact, fallbacks }: Options) {
  const [selected, setSelected] = useState("");
  const root = useRef<HTMLDivElement>(null);
  // Texts for which an arrow key or the pointer has chosen an item, and for which an Enter waits.
  const chosenFor = useRef<string | null>(null);
  const heldFor = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new results move the first item.
  useEffect(() => {
    const timer = setTimeout(() => {
      // cmdk has sorted its items by now.
      const first = root.current?.querySelector<HTMLElement>("[cmdk-item]:not([aria-disabled=true])");
      const value = first?.getAttribute("data-value");
      if (!first || !value || chosenFor.current === text) return;
      const selectedNow = root.current?.querySelector("[cmdk-item][aria-selected=true]")?.getAttribute("data-value");
      if (selectedNow && !fallbacks.includes(selectedNow) && !exact) return;
      setSelected(value);
      first.scrollIntoView({ block: "nearest" });
      if (heldFor.current !== text || searching) return;
      heldFor.current = null;
      first.click();
    });
    return () => clearTimeout(timer);
  }, [results, searching]);
  function onKeyDown(event: KeyEvent) {
    if (["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) chosenFor.current = text;
    if (event.key !== "Enter" || !searching || !fallbacks.includes(selected) || chosenFor.current === text) return;
    event.preventDefault();
    heldFor.current = text;
  }
  function onPointerMove({ target }: PointerMove) {
    if (target instanceof Element && target.closest("[cmdk-item]")) chosenFor.current = text;
  }
  return { ref: root, value: selected, onValueChange: setSelected, onKeyDown, onPointerMove };
}
