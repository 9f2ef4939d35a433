"use client";

import { Search } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { DebouncedInput } from "#components/records/filters/debounced-input";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { rememberSearch } from "./recent-searches.tsx";

const SearchHelp = lazyComponent(() => import("./search-help.tsx").then((module) => module.SearchHelp), true);

type SearchBoxProps = { value: string; onChange: (q: string) => void; types: string[]; sources: string[] };

export function SearchBox({ value, onChange, types, sources }: SearchBoxProps) {
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState(value);
  const box = useRef<HTMLDivElement>(null);
  const input = () => box.current?.querySelector("input");
  const search = (q: string) => {
    rememberSearch(q);
    onChange(q);
  };
  const choose = (text: string) => {
    setDraft(text);
    if (!text.endsWith(":")) {
      search(text);
      setOpen(false);
    } else onChange(text);
    input()?.focus();
  };
  const blur = ({ relatedTarget }: FocusEvent) => {
    if (box.current?.contains(relatedTarget as Node | null)) return;
    setOpen(false);
    rememberSearch(value);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === "Enter" && event.target === input()) setOpen(false);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event);
  };
  function step(event: KeyboardEvent) {
    const stops = [input(), ...(box.current?.querySelectorAll<HTMLElement>("[data-suggestion]") ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the field and the suggestions inside.
    <div ref={box} className="relative flex-1 basis-52 min-[700px]:max-w-96" onBlur={blur} onKeyDown={key} onFocus={() => setOpen(true)}>
      <DebouncedInput
        label="Search IDs and payloads"
        placeholder="Search by ID, text or field, e.g. data.status:failed"
        icon={<Search aria-hidden />}
        value={value}
        onChange={onChange}
        onDraft={setDraft}
      />
      {open ? <SearchHelp draft={draft} types={types} sources={sources} onChoose={choose} /> : null}
    </div>
  );
}
