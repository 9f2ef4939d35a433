"use client";

import "./globals.css";
import { GeistSans } from "geist/font/sans";
import { ThemeProvider } from "next-themes";

/** The last resort: the frame itself could not be drawn. Nothing else of the frame stands: it brings theme and font itself. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" className={GeistSans.variable} suppressHydrationWarning>
      <body>
        <ThemeProvider attribute="data-theme" defaultTheme="system" enableSystem>
          <title>Signalbox could not show this page</title>
          <main className="mx-auto flex min-h-dvh max-w-[480px] flex-col justify-center gap-3 px-6">
            <h1 className="text-20 font-semibold">Signalbox could not show this page</h1>
            <p className="text-muted">
              An error on our side; it is in the log{error.digest === undefined ? "" : ` as ${error.digest}`}. Webhooks are still received.
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
