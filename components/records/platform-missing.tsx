import { CopyButton } from "#components/ui/code-block";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";

/** Variables that an operator must set before an account can be connected; none if `missing` is empty. */
export type PlatformSetup = { missing: string[]; redirectUri: string };

export function PlatformMissing({ platform: { missing, redirectUri } }: { platform: PlatformSetup }) {
  if (missing.length === 0) return null;
  return (
    <ProblemNotice
      tone="attention"
      what="No platform is configured, so no account can be connected"
      why={
        <>
          The sandbox is off, and {missing.length === 1 ? "this variable is" : "these variables are"} not set:{" "}
          <span className="break-words font-mono text-12">{missing.join(", ")}</span>
        </>
      }
      fix={
        <>
          Register this redirect URI in the platform's OAuth app, set the variables and restart Signalbox.
          <span className="mt-2 flex max-w-full items-center gap-1">
            <code className="min-w-0 break-all rounded-sm border border-line bg-sunken px-2 py-1 text-12 text-text">{redirectUri}</code>
            <CopyButton value={redirectUri} label="Copy redirect URI" />
          </span>
        </>
      }
    />
  );
}
