import { useQuery } from "@tanstack/react-query";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { savedFiltersQuery } from "#lib/client/saved-filters";
import type { SavedFilterList } from "#lib/contracts/saved-filters";

/** Returns the saved filters; undefined until hydrated: another component may have loaded them before, and the HTML has none. */
export function useSavedFilters(): SavedFilterList | undefined {
  const hydrated = useHydrated();
  const { data } = useQuery(savedFiltersQuery);
  return hydrated ? data : undefined;
}
