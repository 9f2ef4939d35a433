import { type ComponentType, createContext, lazy, Suspense, useCallback, useContext, useEffect, useState } from "react";
import { Button } from "#components/ui/primitives/button";

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

const TryAgain = createContext<() => void>(() => undefined);

const RETRY_MS = 5000;

/** Replaces a part of the page whose code failed to load. `open`: a closed overlay shows nothing. */
function PartLoadError({ open = true }: { open?: boolean }) {
  const tryAgain = useContext(TryAgain);
  if (!open) return null;
  return (
    <div
      role="alert"
      className="fixed right-4 bottom-20 left-4 z-50 mx-auto flex max-w-[420px] items-center gap-3 rounded-md border border-line-strong bg-raised px-4 py-3 text-13 shadow-raised"
    >
      <p className="min-w-0 flex-1">Couldn't load this part of the page: no connection to Signalbox.</p>
      <Button size="sm" onClick={tryAgain}>
        Try again
      </Button>
    </div>
  );
}

/** Retries a part that loads in the background until it loads. */
function PartRetry() {
  const tryAgain = useContext(TryAgain);
  useEffect(() => {
    const timer = setTimeout(tryAgain, RETRY_MS);
    return () => clearTimeout(timer);
  }, [tryAgain]);
  return null;
}
