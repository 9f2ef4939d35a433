import { usePageQuery } from "./use-page-query.tsx";

/** Keeps one parameter in the page's URL (`?tab=effects`), left out while it has its first value; Back undoes a change. */
export function useUrlParameter(name: string, first: string): [value: string, setValue: (value: string) => void] {
  const { query, change } = usePageQuery();
  return [query.get(name) ?? first, (value) => change({ [name]: value === first ? null : value })];
}
