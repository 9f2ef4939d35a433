import { anonymousStep, personStep } from "#lib/api/sign-in-step";
import { confirmBody, nothing, passkeyBody, passkeySignInBody, proveBody, totpCodeBody } from "#lib/contracts/auth/factors";
import { challengeToProve, proveFactor } from "./prove-factor.ts";
import { confirmByPassword, setUpPasskey, setUpTotp, startPasskey, startTotp } from "./set-up-factor.ts";
import { challengeToSignIn, signInWithPasskey } from "./sign-in-with-passkey.ts";

/** Steps below /api/sign-in/, with the waiting session that may take each. */
export const SIGN_IN_STEPS = new Map([
  ["passkey-challenge", anonymousStep(nothing, challengeToSignIn)],
  ["passkey", anonymousStep(passkeySignInBody, signInWithPasskey)],
  ["proof-challenge", personStep("prove", nothing, challengeToProve)],
  ["proof", personStep("prove", proveBody, proveFactor)],
  ["confirmation", personStep("set_up", confirmBody, confirmByPassword)],
  ["new-totp", personStep("set_up", nothing, startTotp)],
  ["totp", personStep("set_up", totpCodeBody, setUpTotp)],
  ["new-passkey", personStep("set_up", nothing, startPasskey)],
  ["passkey-registration", personStep("set_up", passkeyBody, setUpPasskey)],
]);
