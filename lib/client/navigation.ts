let target: string | null = null;
const listeners = new Set<() => void>();

const announce = (next: string | null): void => {
  if (next === target) return;
  target = next;
  for (const listener of listeners) listener();
};

const within = ({ pathname, search }: URL | Location): string => `${pathname}${search}`;

/** Notes that a page is being opened; a URL of the page that is shown needs no waiting. */
export function navigationStarted(url: string): void {
  const next = within(new URL(url, location.href));
  announce(next === within(location) ? null : next);
}

/** Notes that the page that was opened, or its placeholder, is shown. */
export const navigationEnded = (): void => announce(null);

/** Returns the path and query of the page that is being opened; null while none is. */
export const pendingNavigation = (): string | null => target;

/** Calls the listener on each change. @returns what ends that */
export function onNavigation(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
