"use client";

import { X } from "lucide-react";
import { SaveFilterButton } from "#components/records/saved-filters/save-filter-button";
import { Button } from "#components/ui/primitives/button";

type FilterActionsProps = {
  href: string;
  onClear: () => void;
};

/** Saves and clears a filter. One chunk: a button that loaded later would move the other while it is pressed. */
export function FilterActions({ href, onClear }: FilterActionsProps) {
  return (
    <>
      <SaveFilterButton href={href} />
      <Button variant="ghost" icon={<X aria-hidden />} aria-label="Clear filters" onClick={onClear}>
        Clear
      </Button>
    </>
  );
}
