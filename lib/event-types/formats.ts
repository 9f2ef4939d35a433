import { isStorableText } from "#lib/contracts/api/bounds";
import type { FieldFormat } from "#lib/contracts/event-types";
import { MAX_VALUE_LENGTH } from "./schema.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?$/;
const DIGITS = /^\d{6,}$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const PHONE = /^\+?[\d\s().-]{7,24}$/;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/;
const URL = /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i;
/** `cus_NffrFeUfNV2Hib`, `evt_1`: a prefix, and at least one digit or capital after it, or many characters. */
const PREFIXED_ID = /^([a-z]{2,12})_(?=[A-Za-z0-9_]*[A-Z0-9])[A-Za-z0-9_]+$/;
/** Digests, tokens, ULIDs: long, of one word, with digits among letters. */
const RANDOM = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/=_-]{16,}$/;

const MAX_LOOKED_AT = 400;

/** Returns the format of a text. What names a person or a record is told from a word that an enumeration could have. */
export function formatOf(text: string): FieldFormat {
  if (text === "") return "empty";
  if (text.length > MAX_LOOKED_AT) return text.startsWith("http") && URL.test(text) ? "url" : "text";
  const first = text.charCodeAt(0);
  // A digit, a sign or a bracket: dates, numbers and phone numbers.
  if ((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x28) {
    const format = numericFormatOf(text);
    if (format) return format;
  }
  if (text.length === 36 && text[8] === "-" && UUID.test(text)) return "uuid";
  if (text.includes("@") && EMAIL.test(text)) return "email";
  if (text.includes("://") && URL.test(text)) return "url";
  if (text.includes("_") && PREFIXED_ID.test(text)) return "id";
  return text.length >= 16 && RANDOM.test(text) ? "id" : "text";
}

function numericFormatOf(text: string): FieldFormat | null {
  if (DATE.test(text)) return "date";
  if (text.length >= 16 && DATE_TIME.test(text)) return "date-time";
  if (DIGITS.test(text)) return "digits";
  if (DECIMAL.test(text)) return "decimal-text";
  const digits = text.replace(/\D/g, "").length;
  return digits >= 7 && digits <= 15 && PHONE.test(text) ? "phone" : null;
}

/** Returns `cus` of `cus_NffrFeUfNV2Hib`. */
export const prefixOf = (text: string): string | undefined => (text.length <= MAX_LOOKED_AT ? PREFIXED_ID.exec(text)?.[1] : undefined);

/** Formats of which no value is kept: each names a person, a record or a moment. */
const NAMING: ReadonlySet<FieldFormat> = new Set(["uuid", "email", "url", "phone", "id", "digits", "date", "date-time"]);

/** True for a text that an enumeration could have. */
export const mayBeValue = (text: string, format: FieldFormat): boolean =>
  text.length <= MAX_VALUE_LENGTH && !NAMING.has(format) && isStorableText(text);

/** Keys that are data as soon as they are seen: they name a person or a record (`{ "ada@example.com": … }`). */
const NAMING_KEY: ReadonlySet<FieldFormat> = new Set(["uuid", "email", "url", "phone", "digits", "date", "date-time", "decimal-text"]);
const MAX_KEY = 100;

export function isDataKey(key: string): boolean {
  if (key.length > MAX_KEY || !isStorableText(key)) return true;
  const format = formatOf(key);
  if (format !== "id") return NAMING_KEY.has(format);
  // `cus_NffrFeUfNV2Hib` is an ID; `address_line1` and `sha256_of_file` are names: an ID's second part is long and mixes cases and digits.
  return isRandom(key.slice(key.indexOf("_") + 1));
}

const isRandom = (text: string): boolean =>
  text.length >= 10 && !text.includes("_") && /\d.*[A-Za-z].*\d|[a-z].*\d.*[A-Z]|[A-Z].*[a-z].*\d|\d.*[a-z].*[A-Z]/.test(text);

/** Words of field names whose values tell of people, or are secrets: no value and no number of such a field is kept. */
const PERSONAL = new Set(
  `name names fullname firstname lastname surname nickname username login handle author owner assignee user users member members person
  people contact customer client employee patient sender recipient email mail phone tel telephone mobile fax address street city zip zipcode
  postcode postal county region state_of_birth latitude longitude lat lng lon geo location ip birth birthday birthdate dob age gender sex religion
  ethnicity salary income ssn sin nin iban bic swift account card pan cvc cvv passport license licence password passwd pwd secret token key
  apikey credential credentials auth authorization cookie session signature hash sha fingerprint avatar photo comment comments body message
  note notes slug branch ref repo repository path file filename folder host hostname domain namespace added removed modified description title subject text content bio memo company organization organisation employer label labels`.split(
    /\s+/,
  ),
);

const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/** True for a field whose name says that it may tell of a person (`billing_email`, `ownerName`), or holds free text. */
function isPersonalKey(key: string): boolean {
  if (PERSONAL.has(key.toLowerCase())) return true;
  for (const [word] of key.matchAll(WORDS)) {
    const lower = word.toLowerCase();
    if (PERSONAL.has(lower) || (lower.endsWith("s") && PERSONAL.has(lower.slice(0, -1)))) return true;
  }
  return false;
}

/** Last words of a name that say what kind of value it is: `account_type`, `name_status` are no accounts and no names. */
const OF_KIND = new Set([
  "type",
  "types",
  "status",
  "state",
  "kind",
  "mode",
  "role",
  "method",
  "category",
  "currency",
  "country",
  "object",
  "action",
]);

/** Names for what something was, or is now: of what, says the field that holds it (`changes.name.from`). */
const OF_CHANGE = new Set(["from", "to", "old", "new", "previous", "current", "before", "after", "value", "values"]);

/** @param holder key of the field that holds it */
export function isPersonalField(key: string, holder?: string): boolean {
  const last = key.match(WORDS)?.at(-1)?.toLowerCase();
  if (last !== undefined && OF_KIND.has(last)) return false;
  return isPersonalKey(key) || (holder !== undefined && OF_CHANGE.has(key.toLowerCase()) && isPersonalKey(holder));
}
