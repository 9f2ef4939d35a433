import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { type LocalCommands, localCommands } from "#lib/client/format/local-commands";
import { useProductVersion } from "./brand-mark.tsx";

/** Returns the commands that run events on a developer's machine; null while the page doesn't know its own URL. */
export function useLocalCommands(): LocalCommands | null {
  const version = useProductVersion();
  return useHydrated() ? localCommands(window.location.origin, version) : null;
}
