import { Bookmark, BookmarkCheck, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Button } from "#components/ui/primitives/button";
import { isSameFilter, parametersOf } from "#lib/client/saved-filters";
import { SAVED_FILTER_PAGES } from "#lib/contracts/saved-filter-pages";
import { useSavedFilters } from "./use-saved-filters.tsx";

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

const SavedFilterDialog = lazyComponent(() => import("./saved-filter-dialog.tsx").then((module) => module.SavedFilterDialog));

type SaveFilterButtonProps = {
  /** URL of the list with its filter; only its parameters matter. */
  href: string;
};

/** Saves the filter, or edits it if saved. Shown, disabled, before the saved filters have loaded, so that nothing moves. */
function SaveFilterButton({ href }: SaveFilterButtonProps) {
  const path = usePathname();
  const data = useSavedFilters();
  const [open, setOpen] = useState(false);
  const page = SAVED_FILTER_PAGES.find((each) => path === `/${each}`);
  const parameters = parametersOf(new URLSearchParams(href.split("?")[1]));
  if (page === undefined || Object.keys(parameters).length === 0) return null;
  const saved = data?.data.find((each) => each.page === page && isSameFilter(each.filter, parameters));
  const mayShare = data?.mayShare ?? false;
  const mayChange = saved === undefined || !saved.shared || mayShare;
  if (saved !== undefined && !mayChange) return null;
  return (
    <>
      <Button
        variant="ghost"
        disabled={data === undefined}
        icon={saved ? <BookmarkCheck aria-hidden /> : <Bookmark aria-hidden />}
        onPointerEnter={SavedFilterDialog.preload}
        onClick={() => setOpen(true)}
      >
        {saved ? "Edit saved filter" : "Save filter"}
      </Button>
      {open ? <SavedFilterDialog {...{ page, parameters, saved, mayShare, onClose: () => setOpen(false) }} /> : null}
    </>
  );
}
