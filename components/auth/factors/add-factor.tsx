import { type ReactNode, useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Button } from "#components/ui/primitives/button";
import { useAction } from "#components/ui/primitives/use-action";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { NO_PASSKEYS, usePasskeys } from "#lib/client/passkeys";
import { startTotp } from "#lib/client/queries/factors";
import type { FactorAdded, TotpSetup } from "#lib/contracts/auth/account";

const TotpSetupForm = lazyComponent(() => import("./factor-setup.tsx").then((module) => module.TotpSetupForm));
const PasskeySetupForm = lazyComponent(() => import("./factor-setup.tsx").then((module) => module.PasskeySetupForm));
const RecoveryCodes = lazyComponent(() => import("./recovery-codes.tsx").then((module) => module.RecoveryCodes));

type Stage = { kind: "choose" } | { kind: "totp"; setup: TotpSetup } | { kind: "passkey" } | { kind: "codes"; codes: string[] };

type AddFactorProps = {
  /** False if an authenticator app is already set up. */
  offersTotp: boolean;
  onDone: () => void;
  /** Shows the setup in a window. */
  frame?: (title: string, content: ReactNode, close: () => void) => ReactNode;
};

const TITLES = { totp: "Set up an authenticator app", passkey: "Add a passkey", codes: "Recovery codes" };

/** Sets up an authenticator app or a passkey. The first factor comes with recovery codes. */
export function AddFactor({ offersTotp, onDone, frame = (_title, content) => content }: AddFactorProps) {
  const [stage, setStage] = useState<Stage>({ kind: "choose" });
  const hydrated = useHydrated();
  const passkeys = usePasskeys();
  const close = () => {
    setStage({ kind: "choose" });
    if (stage.kind === "codes") onDone();
  };
  function added({ recoveryCodes }: FactorAdded) {
    if (recoveryCodes) return setStage({ kind: "codes", codes: recoveryCodes });
    setStage({ kind: "choose" });
    onDone();
  }
  const { run: chooseTotp, problem } = useAction(async () => setStage({ kind: "totp", setup: await startTotp() }));
  const choices = (
    <div className="flex flex-wrap gap-2">
      {offersTotp ? (
        <Button disabled={!hydrated} onClick={() => chooseTotp()}>
          Set up authenticator app
        </Button>
      ) : null}
      {passkeys ? (
        <Button disabled={!hydrated} onClick={() => setStage({ kind: "passkey" })}>
          Add passkey
        </Button>
      ) : (
        <p className="w-full text-muted">{NO_PASSKEYS}</p>
      )}
    </div>
  );
  return (
    <>
      {problem === null ? null : <ProblemNotice announce className="mb-3" what="Couldn't start the set-up" why={problem.message} />}
      {stage.kind === "choose" ? choices : frame(TITLES[stage.kind], <Stages stage={stage} added={added} close={close} />, close)}
    </>
  );
}

type StagesProps = {
  stage: Exclude<Stage, { kind: "choose" }>;
  added: (added: FactorAdded) => void;
  close: () => void;
};

function Stages({ stage, added, close }: StagesProps) {
  if (stage.kind === "totp") return <TotpSetupForm setup={stage.setup} onAdded={added} />;
  if (stage.kind === "passkey") return <PasskeySetupForm onAdded={added} />;
  return <RecoveryCodes codes={stage.codes} onDone={close} />;
}
