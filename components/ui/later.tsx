"use client";

import { type ComponentType, lazy, Suspense, useCallback, useState } from "react";
import { PartAwaited, PartMissing, TryAgain } from "#components/ui/part-missing";

/**
 * A part of the page whose code comes when it is first shown; until then its
 * place stays empty. Where it does not come, for the line is broken, that is
 * told and can be tried again: the page stands. `preload` fetches it at a sign
 * that it will be wanted.
 *
 * @param quiet nobody asked for the part: it is tried again without a word
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, quiet = false) {
  const missing: { default: ComponentType<object> } = { default: quiet ? PartAwaited : PartMissing };
  const fetched = () =>
    lazy(() =>
      load().then(
        (part) => ({ default: part as ComponentType<object> }),
        () => missing,
      ),
    );
  // One for all places that show it; after a failure a new one, since React keeps what came of the first.
  let latest = fetched();
  const Later = (props: P) => {
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
  return Object.assign(Later, { preload: () => void load().catch(() => undefined) });
}
