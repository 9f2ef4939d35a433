"use client";

import "./globals.css";
import { ThemeProvider } from "next-themes";

/** The last resort: the frame itself could not be drawn. Nothing else of the frame stands: it brings the theme itself. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <ThemeProvider attribute="data-theme" defaultTheme="system" enableSystem>
          <title>Signalbox could not show this page</title>
          <main className="mx-auto flex min-h-dvh max-w-[480px] flex-col justify-center gap-3 px-6">
            <h1 className="text-20 font-semibold">Signalbox could not show this page</h1>
            <p className="text-muted">
              An error on our side; it is in the log{error.digest === undefined ? "" : ` as ${error.digest}`}. Webhooks are still received.
            </p>
            <button type="button" onClick={reset} className="h-8 self-start rounded-md bg-accent px-3 font-medium text-accent-contrast">
              Try again
            </button>
          </main>
        </ThemeProvider>
      </body>
    </html>
  );
}
