/** Proof that the server requires before it gives access: the password, or another single sign-on. */
export type ProofKind = "password" | "sso";

type Ask = (kind: ProofKind) => Promise<boolean>;

const KINDS = new Map<string, ProofKind>([
  ["confirmation_required", "password"],
  ["sso_confirmation_required", "sso"],
]);

let ask: Ask | null = null;

export function askBy(asking: Ask | null): void {
  ask = asking;
}

/** True if the user has just proved their identity, so that a request rejected with this code can be sent again. */
export async function isConfirmed(code: string): Promise<boolean> {
  const kind = KINDS.get(code);
  return kind !== undefined && ((await ask?.(kind)) ?? false);
}
