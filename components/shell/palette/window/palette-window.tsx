"use client";

import { Command } from "cmdk";
import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useState } from "react";
import { useOpenPage } from "#components/shell/navigation/use-open-page";
import type { TypedAhead } from "#components/shell/palette/keystroke-buffer";
import type { PaletteScope } from "#components/shell/palette/places";
import { useSignOut } from "#components/shell/sign-out";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import type { useFocusBack } from "#components/ui/overlay/panes/use-focus-back";
import { Kbd } from "#components/ui/primitives/kbd";
import { useFoundGroups } from "./palette-found.tsx";
import { Group } from "./palette-items.tsx";
import { useEverywhereGroups, usePlaceGroups } from "./palette-places.tsx";
import { hasExactName, rankGroups, recordValue, SEARCH_EVENTS } from "./palette-rank.ts";
import { useFoundRecords } from "./use-found-records.tsx";
import { usePaletteSelection } from "./use-palette-selection.tsx";
import { usePaletteText } from "./use-palette-text.tsx";

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
    fallback: SEARCH_EVENTS,
  });
  return (
    <Command label="Search or jump" loop shouldFilter={false} {...selection}>
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
        {rankGroups([own, ...found, ...places, ...everywhere], records, text).map((group) => (
          <Group key={group.heading} {...group} />
        ))}
      </Command.List>
    </Command>
  );
}
