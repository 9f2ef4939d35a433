"use client";

import { useQuery } from "@tanstack/react-query";
import { useHydrated } from "#components/ui/lists/use-hydrated";
import { savedFiltersQuery } from "#lib/client/saved-filters/queries";
import type { SavedFilterList } from "#lib/contracts/saved-filters/saved-filters";

/**
 * The saved filters; undefined until they have come and the part is hydrated. They may come before, from another part
 * that asked for them, and the server rendered without.
 */
export function useSavedFilters(): SavedFilterList | undefined {
  const hydrated = useHydrated();
  const { data } = useQuery(savedFiltersQuery);
  return hydrated ? data : undefined;
}
