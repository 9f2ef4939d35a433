/** `no_key`: none configured. `key_unknown`: the ring lacks the key. The others: modified, or sealed for another place. */
export type VaultErrorCode = "no_key" | "key_unknown" | "tampered" | "wrong_context";

/** The message never holds the sealed value. */
export class VaultError extends Error {
  override name = "VaultError";
  readonly code: VaultErrorCode;

  constructor(code: VaultErrorCode, words: string, options?: { cause?: unknown }) {
    super(words, options);
    this.code = code;
  }
}

/** Recognizes the class by its name too: a bundler may hold a second copy. */
export const isVaultError = (error: unknown): error is VaultError => error instanceof Error && error.name === "VaultError";
