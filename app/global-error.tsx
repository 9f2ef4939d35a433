"use client";

import "./globals.css";
import { ThemeProvider } from "next-themes";
import { ReachOfFailure } from "#components/shell/live/reach";
import { sans } from "./fonts.ts";

/** The last resort: the dashboard frame itself failed to render, so this page brings its own theme and font. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" className={sans.variable} suppressHydrationWarning>
      <body>
        <ThemeProvider attribute="data-theme" defaultTheme="system" enableSystem>
          <title>Signalbox could not show this page</title>
          <main className="mx-auto flex min-h-dvh max-w-[480px] flex-col justify-center gap-3 px-6">
            <h1 className="text-20 font-semibold">Signalbox could not show this page</h1>
            <p className="text-muted">
              <ReachOfFailure digest={error.digest} />
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
