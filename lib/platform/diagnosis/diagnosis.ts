import type { Diagnosis } from "#lib/contracts/diagnosis";

/**
 * Version of the diagnoses, raised when they change: what an earlier one found of a request is stored with it, and is then looked at again.
 * A test compares their words with those that it was last raised for.
 */
export const DIAGNOSIS_VERSION = 2;

/** A secret to check a signature against. Only `valid` ones can verify a request; the others only explain. */
export type KnownSecret = {
  id: string;
  value: string;
  state: "valid" | "retired" | "another_source";
  /** The name of its source. */
  source: string;
  /** When it stopped verifying; null while it does. */
  endedAt: Date | null;
};

export type UnverifiedRequest = {
  /** The raw bytes, as many as were kept. */
  body: Uint8Array;
  /** Not the whole body was kept: its signature can't be checked. */
  cut: boolean;
  /** The signature header as it was kept; repeated ones joined by ", ". */
  header: string | undefined;
  secrets: readonly KnownSecret[];
  /** The secrets in words; absent: all of the workspace. */
  asked?: string;
  /** The receiver's words when it rejected the request, with the whole body at hand. */
  told?: string;
};

/** The diagnosis without whether the request could be released, which is also a question of its envelope. */
export type UnverifiedDiagnosis = Omit<Diagnosis, "verifiesNow" | "about"> & { about?: string };
