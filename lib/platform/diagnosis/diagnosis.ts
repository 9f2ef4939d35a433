import type { Diagnosis } from "#lib/contracts/diagnosis";

/** Raised when diagnoses change: stored ones of an earlier version are made again. A test compares the texts. */
export const DIAGNOSIS_VERSION = 2;

/** Only `valid` secrets can verify a request; the others explain. */
export type KnownSecret = {
  id: string;
  value: string;
  state: "valid" | "retired" | "another_source";
  source: string;
  endedAt: Date | null;
};

export type UnverifiedRequest = {
  body: Uint8Array;
  /** Only a part of the body was kept: its signature can't be checked. */
  cut: boolean;
  header: string | undefined;
  secrets: readonly KnownSecret[];
  asked?: string;
  /** The receiver's text when it rejected the request, with the whole body at hand. */
  told?: string;
};

/** Without `verifiesNow`, which also depends on the envelope. */
export type UnverifiedDiagnosis = Omit<Diagnosis, "verifiesNow" | "about"> & { about?: string };
