/** `no_key`: none configured. `key_unknown`: sealed with a key we don't have. The others: not what we sealed, or not here. */
export type VaultErrorCode = "no_key" | "key_unknown" | "tampered" | "wrong_context";

/** Why something could not be sealed or opened. The message never holds what was sealed. */
export class VaultError extends Error {
  override name = "VaultError";
  readonly code: VaultErrorCode;

  constructor(code: VaultErrorCode, words: string, options?: { cause?: unknown }) {
    super(words, options);
    this.code = code;
  }
}

/** Knows the class by its name too: a bundler may hold a second copy of it. */
export const isVaultError = (error: unknown): error is VaultError => error instanceof Error && error.name === "VaultError";
