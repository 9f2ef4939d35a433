"use client";

import "./globals.css";
import { ThemeProvider } from "next-themes";
import { lazy, Suspense } from "react";
import { sans } from "./fonts.ts";

type Failure = { digest: string | undefined };

const Unknown = ({ digest }: Failure) => <>{`Internal error.${digest === undefined ? "" : ` Log reference: ${digest}.`}`}</>;

/** This page is in every page's first load, so its content is loaded only when it is shown. */
const Known = lazy(() =>
  import("#components/shell/page-failed").then(
    ({ ReachOfFailure }) => ({ default: ReachOfFailure }),
    () => ({ default: Unknown }),
  ),
);

/** The dashboard frame itself failed to render, so this page brings its own theme and font. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" className={sans.variable} suppressHydrationWarning>
      <body>
        <ThemeProvider attribute="data-theme" defaultTheme="system" enableSystem>
          <title>Signalbox could not show this page</title>
          <main className="mx-auto flex min-h-dvh max-w-[480px] flex-col justify-center gap-3 px-6">
            <h1 className="text-20 font-semibold">Signalbox could not show this page</h1>
            <p className="text-muted">
              <Suspense fallback={<Unknown digest={error.digest} />}>
                <Known digest={error.digest} />
              </Suspense>
            </p>
            <button
              type="button"
              onClick={() => window.location.reload()}
              className="h-8 self-start rounded-md bg-accent px-3 font-medium text-accent-contrast"
            >
              Try again
            </button>
          </main>
        </ThemeProvider>
      </body>
    </html>
  );
}
