"use client";

import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTypedAhead } from "#components/shell/use-typed-ahead";
import { Kbd } from "#components/ui/kbd";
import { later } from "#components/ui/later";
import { useFocusBack } from "#components/ui/use-focus-back";

const PaletteWindow = later(() => import("#components/shell/palette-window").then((module) => module.PaletteWindow));

/** The way to the palette: this button, and Ctrl K or Cmd K from anywhere. */
export function CommandPalette({ sandbox }: { sandbox: boolean }) {
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(false);
  const focusBack = useFocusBack();
  const ahead = useTypedAhead();
  function turn(next: boolean) {
    if (next) ahead.listen();
    else ahead.take();
    setOpen(next);
    setOpened(true);
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === "Control" || event.key === "Meta") PaletteWindow.preload();
    if (event.key === "Escape" && open) turn(false);
    if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (!(event.target instanceof Element && event.target.closest("[role=dialog]"))) focusBack.remember();
    turn(!open);
  }
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  return (
    <>
      <button
        type="button"
        id="palette"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={PaletteWindow.preload}
        onFocus={PaletteWindow.preload}
        onClick={() => {
          focusBack.remember();
          turn(true);
        }}
        className="flex h-8 items-center gap-2 rounded-md border border-line bg-sunken px-2 text-12 text-muted hover:border-line-strong hover:text-text md:w-60"
      >
        <Search aria-hidden className="size-4" />
        <span className="flex-1 text-left max-md:sr-only">Search or jump</span>
        <span aria-hidden className="hidden gap-0.5 md:flex">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      {opened ? (
        <PaletteWindow sandbox={sandbox} open={open} onOpenChange={turn} takeTyped={ahead.take} focusBack={focusBack.content} />
      ) : null}
    </>
  );
}
