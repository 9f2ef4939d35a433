"use client";

import { type ComponentType, lazy, Suspense, useCallback, useState } from "react";
import { PartLoadError, PartRetry, TryAgain } from "#components/ui/feedback/part-load-error";

/** Loads a component's code when it is first shown. `quiet`: a failed load is retried silently, without a notice. */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>, quiet = false) {
  const failed: { default: ComponentType<object> } = { default: quiet ? PartRetry : PartLoadError };
  const fetched = () =>
    lazy(() =>
      load().then(
        (part) => ({ default: part as ComponentType<object> }),
        () => failed,
      ),
    );
  // Shared by all places that show it. A failure needs a new one, because React caches the first outcome.
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
