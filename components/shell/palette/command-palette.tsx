import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { useFocusBack } from "#components/ui/overlay/focus";
import { CommandKey, Kbd } from "#components/ui/primitives/kbd";
import { useLatest } from "#components/ui/primitives/use-latest";
import { useKeystrokeBuffer } from "./commands.tsx";
import type { PaletteScope } from "./palette-groups.tsx";

// Not in the first load.
const RecentPages = lazyComponent(() => import("./recent.tsx").then((module) => module.RecentPages), true);
const PaletteWindow = lazyComponent(() => import("./palette-window.tsx").then((module) => module.PaletteWindow));

export function CommandPalette({ rights, scope }: PaletteScope) {
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(false);
  const focusBack = useFocusBack();
  const ahead = useKeystrokeBuffer();
  function changeOpen(next: boolean) {
    if (next) ahead.listen();
    else ahead.take();
    setOpen(next);
    setOpened(true);
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === "Control" || event.key === "Meta") PaletteWindow.preload();
    if (event.key === "Escape" && open) changeOpen(false);
    if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (!(event.target instanceof Element && event.target.closest("[role=dialog]"))) focusBack.remember();
    changeOpen(!open);
  }
  const latest = useLatest(onKey);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [latest]);
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
          changeOpen(true);
        }}
        className="flex h-8 items-center gap-2 rounded-md border border-line bg-sunken px-2 text-12 text-muted hover:border-line-strong hover:text-text md:w-60"
      >
        <Search className="size-4" />
        <span className="flex-1 text-left max-md:sr-only">Search or jump</span>
        <span aria-hidden className="hidden gap-0.5 md:flex">
          <CommandKey />
          <Kbd>K</Kbd>
        </span>
      </button>
      <RecentPages scope={scope} />
      {opened ? (
        <PaletteWindow
          rights={rights}
          scope={scope}
          open={open}
          onOpenChange={changeOpen}
          takeTyped={ahead.take}
          focusBack={focusBack.content}
        />
      ) : null}
    </>
  );
}
