import type { ChallengeSettings } from "#lib/contracts/sources/challenge-settings";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import { given, type Setting, SettingField } from "./signature-fields.tsx";

const NONE = "none";

const SETTINGS: readonly Setting[] = [
  {
    name: "asked",
    label: "Asks before it sends, with",
    options: [
      { value: NONE, label: "Nothing" },
      { value: "get", label: "GET" },
      { value: "head", label: "HEAD" },
      { value: "options", label: "OPTIONS" },
      { value: "post", label: "POST, without a signature" },
      { value: "signed", label: "POST, signed like its events" },
    ],
  },
  {
    name: "whenPlace",
    label: "A request asks if there is a value at",
    hint: "header:name, query:name or a path in the body, such as type.",
  },
  { name: "whenEquals", label: "… which is", hint: "Left empty: any value." },
  { name: "take", label: "Text to answer is at", hint: "header:name, query:name or a path in the body, such as challenge." },
  {
    name: "answerWith",
    label: "Answer with",
    options: [
      { value: "{value}", label: "That text" },
      { value: "{hmac}", label: "Its HMAC, by the source's secret" },
    ],
  },
  {
    name: "hmac",
    label: "HMAC of the answer",
    options: [
      { value: "sha256 hex", label: "HMAC-SHA256, hexadecimal" },
      { value: "sha256 base64", label: "HMAC-SHA256, Base64" },
      { value: "sha1 hex", label: "HMAC-SHA1, hexadecimal" },
      { value: "sha512 hex", label: "HMAC-SHA512, hexadecimal" },
    ],
  },
  { name: "answerHeader", label: "Answer in the header", hint: "Begins with x- or webhook-. Left empty: in the body." },
  { name: "answerJson", label: "Answer in the JSON field", hint: "Such as challenge. Left empty: as text." },
  {
    name: "eventAnswer",
    label: "Answer each event with the text",
    hint: "For senders that look for a certain text. Left empty: Signalbox's own answer.",
  },
];

type Described = Pick<SchemeSettings, "challenges" | "answer">;

const placeOf = ({ text, json, headers }: ChallengeSettings["answer"]): [kind: string, name: string, words: string] => {
  const [header] = Object.entries(headers ?? {});
  const [field] = Object.entries(json ?? {});
  return header ? ["answerHeader", ...header] : field ? ["answerJson", field[0], String(field[1])] : ["", "", text ?? ""];
};

function valuesOf({ challenges = [], answer }: Described): Record<string, string | undefined> {
  const [first] = challenges;
  const eventAnswer = answer?.text;
  if (!first) return { eventAnswer };
  const [kind, name, words] = placeOf(first.answer);
  return {
    asked: first.asked,
    whenPlace: first.when?.[0]?.place,
    whenEquals: first.when?.[0]?.equals,
    take: first.take,
    answerWith: words.includes("{hmac}") ? "{hmac}" : "{value}",
    hmac: first.hmac && `${first.hmac.algorithm} ${first.hmac.encoding}`,
    ...(kind !== "" && { [kind]: name }),
    eventAnswer,
  };
}

/** True if the fields say all of it: others came through the API. */
export function fitsFields(settings: Described): boolean {
  const form = new FormData();
  for (const [name, value] of Object.entries(valuesOf(settings))) form.set(name, value ?? "");
  const again = challengeOfForm(form);
  return JSON.stringify(sorted(again)) === JSON.stringify(sorted({ challenges: settings.challenges, answer: settings.answer }));
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
};

export function ChallengeFields({ settings }: { settings: Described }) {
  if (!fitsFields(settings))
    return <p className="text-13 text-muted">What this sender asks can only be changed with the API: PATCH /api/v1/sources.</p>;
  const values = valuesOf(settings);
  const isOpen = Object.values(values).some((value) => value !== undefined);
  return (
    <details className="flex flex-col" open={isOpen || undefined}>
      <summary className="cursor-pointer text-13 font-medium">Challenge and answer</summary>
      <div className="mt-3 flex flex-col gap-4">
        {SETTINGS.map((setting) => (
          <SettingField key={setting.name} setting={setting} path="scheme.challenges" value={values[setting.name]} />
        ))}
      </div>
    </details>
  );
}

/** Returns the described challenge and answer; an empty object without any. */
export function challengeOfForm(form: FormData): Described {
  const text = given(form, "eventAnswer");
  const answer = text === undefined ? {} : { answer: { text } };
  const asked = given(form, "asked") as ChallengeSettings["asked"] | undefined;
  if (asked === undefined) return answer;
  const [place, equals, take] = ["whenPlace", "whenEquals", "take"].map((name) => given(form, name)?.trim());
  const words = take === undefined ? "" : (given(form, "answerWith") ?? "{value}");
  const [header, field] = ["answerHeader", "answerJson"].map((name) => given(form, name)?.trim());
  const [algorithm, encoding] = (given(form, "hmac") ?? "sha256 hex").split(" ");
  const hmac = { algorithm, encoding } as NonNullable<ChallengeSettings["hmac"]>;
  const challenge: ChallengeSettings = {
    asked,
    maxLength: 256,
    ...(place !== undefined && { when: [{ place, ...(equals !== undefined && { equals }) }] }),
    ...(take !== undefined && { take }),
    ...(words === "{hmac}" && { hmac }),
    answer:
      words === "" ? {} : header ? { headers: { [header.toLowerCase()]: words } } : field ? { json: { [field]: words } } : { text: words },
  };
  return { challenges: [challenge], ...answer };
}
