let target: string | null = null;
const listeners = new Set<() => void>();

const announce = (next: string | null): void => {
  if (next === target) return;
  target = next;
  for (const listener of listeners) listener();
};

const within = ({ pathname, search }: URL | Location): string => `${pathname}${search}`;

/** Marks that a page is being opened; the current page's own URL needs no waiting. */
export function navigationStarted(url: string): void {
  const next = within(new URL(url, location.href));
  announce(next === within(location) ? null : next);
}

export const navigationEnded = (): void => announce(null);

export const pendingNavigation = (): string | null => target;

export function onNavigation(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
