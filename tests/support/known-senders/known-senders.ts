import { DOCUMENT_SENDERS } from "./document-senders.ts";
import type { KnownSender } from "./made-requests.ts";
import { OTHER_SENDERS } from "./other-senders.ts";

export const KNOWN_SENDERS = { ...DOCUMENT_SENDERS, ...OTHER_SENDERS };
export type KnownName = keyof typeof KNOWN_SENDERS;
export const KNOWN_NAMES = Object.keys(KNOWN_SENDERS) as KnownName[];
export const knownSender = (name: KnownName): KnownSender => KNOWN_SENDERS[name];
