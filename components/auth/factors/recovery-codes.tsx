import { CopyButton } from "#components/ui/code-block";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Button } from "#components/ui/primitives/button";

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <ProblemNotice
        tone="attention"
        what="Save your recovery codes now. They won't be shown again."
        fix="Each code replaces your second factor once, if you lose your phone or passkey. Keep them in a password manager or print them."
      />
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-md border border-line bg-sunken px-4 py-3 font-mono text-12 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex justify-end gap-2">
        <CopyButton value={codes.join("\n")} label="Copy the recovery codes" words />
        <Button variant="primary" onClick={onDone}>
          I saved them
        </Button>
      </div>
    </div>
  );
}
