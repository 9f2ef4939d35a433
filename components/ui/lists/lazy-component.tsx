"use client";

import { type ComponentType, lazy, Suspense, useCallback, useState } from "react";
import { PartLoadError, PartRetry, TryAgain } from "#components/ui/feedback/part-load-error";

/**
 * A component whose code loads when it is first shown; until then it renders
 * nothing. If loading fails, the page stays usable and shows a notice with a
 * retry button. `preload` fetches the code early, on a hint that it will be needed.
 *
 * @param quiet for a component that nobody requested: retries silently
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>, quiet = false) {
  const failed: { default: ComponentType<object> } = { default: quiet ? PartRetry : PartLoadError };
  const fetched = () =>
    lazy(() =>
      load().then(
        (part) => ({ default: part as ComponentType<object> }),
        () => failed,
      ),
    );
  // Shared by all places that show it; a new one after a failure, since React caches the outcome of the first.
  let latest = fetched();
  const LazyPart = (props: P) => {
    const [Part, setPart] = useState(() => latest);
    const tryAgain = useCallback(() => {
      latest = fetched();
      setPart(() => latest);
    }, []);
    return (
      <TryAgain value={tryAgain}>
        <Suspense fallback={null}>
          <Part {...props} />
        </Suspense>
      </TryAgain>
    );
  };
  return Object.assign(LazyPart, { preload: () => void load().catch(() => undefined) });
}
