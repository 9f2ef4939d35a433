import { findLine, type Rule } from "./source-file.ts";

/** Names that something else bears now, in code and on screen, and what to say instead. */
const OLD_NAMES: [RegExp, string][] = [
  [/\bwebhookDoor\b|\bknock\w*\(/, "webhookHandler, send"],
  [/\bBodyIntake\b|\bRefusalLimits\b|\bsecondLook\b/, "BoundedBodyReader, RejectionLimiter, ReserializeBudget"],
  [/\bfurnish\w*/i, "provision"],
  [/\bgiveWay\b|\bbury\b|\btryScopes\b/, "onRefreshFailed, deadLetter, loginThrottleKeys"],
  [
    /\bPatientLink\b|\bHoverPrefetchLink\b|\bSlowInput\b|\buseTypedAhead\b|\bUnsaid\b/,
    "PageLink, DebouncedInput, useKeystrokeBuffer, EmptyValue",
  ],
  [/\b(find)(ing)s?\.(read|dismiss\w*)\b|\bFROM findings\b|\bsource_paces\b/, "missing_events, source_cadences"],
  [/\bKEEPERS\b|\bBUILDERS\b/, "ADMINS, DEVELOPERS"],
  [/\bstillRefused\b|\b[Aa]dmi(t|ts|ssion|ssions)([A-Z]\w*)?\b|(?<!WHEN ')\badmitted\w*/, "stillQuarantined, release, released"],
  [/\w(Story|Stories|BusyDays)\b|\bsandbox\/api\/(stories|busy-days)\b|\bgiven_up\b/, "scenario, traffic, failed"],
  [/"stranger"|\bsign_in\.refused\b|\bheard_at\b|\bheardAt\b/, "anonymous, sign_in.rejected, arrivals_until"],
  [/\b(client|request|signIn)Address\b|\baddressOf\b/, "resolveClientIp, requestIp, signInUrl"],
  [/\b(native|route|useNative)Door\b|\brefuse(Unverified|Tunnel|Code)\b|_refused_total\b/, "nodeReceiver, reject…, _rejected_total"],
  [
    /\binWork\b|["'`]\/settings\/views\b|\b(type|class) \w*(Finding|Judgement)\b/,
    "active, /settings/records, MissingEvent, Diagnosis, RuleResult",
  ],
  [/\b(MOST|LONGEST)_[A-Z]/, "MAX_"],
  [/\be-mail/i, "email"],
  [/["'`[](row|issue) \d+(:|\])/, "the subject: the book that numbered it is not in the repository"],
  [
    /["'`>]\s*(Re-verify and admit|Admit all|What never came|Tell a story|Misbehave|Busy days)\b/,
    "release, missing events, run a scenario, simulate faults, generate traffic",
  ],
  [
    /["'`>]\s*(Unfold|Fold|Runs out in|Still stands|Given up|Only what came|Take a filter away|Asked for|Stage before|Facts|The platform's words)\b/,
    "expand, collapse, expires in, current, failed, duplicates only, remove a filter, requested, previous stage, details, platform error",
  ],
  [
    /["'`>]\s*(Create the owner|Make the link|Present password|Last proven|None named|Take back|The life of|These are all)\b/,
    "create your account, create invite, current password, last verified, no subject, revoke, connection history, end of list",
  ],
  [/(title|label|legend)[=:]\s*\{?["'`](Failures|Refused|Findings|Views)["'`]/, "issues, quarantine, missing events, records"],
];

/** Files are named by subject. */
const OLD_FILES = /\b(row|issue)-\d+-|-words\.|(^|[/-])(stories|admissions?|refused|findings?|doors?)[.-]/;

/** Files in which the old names are allowed: rows that earlier versions stored are read by them. */
const EXEMPT = /^(tools|prisma|tests\/unit\/tools)\/|\/(\d+-)?earlier-[a-z.]+\.ts$/;

/** A thing has one name: the names that were given up do not come back. */
export const oldNames: Rule = (files) =>
  files
    .filter(({ name }) => !EXEMPT.test(name))
    .flatMap(({ name, text }) => [
      ...(OLD_FILES.test(name) ? [`${name} is named by a name that was given up. Name it by its subject.`] : []),
      ...OLD_NAMES.flatMap(([pattern, instead]) => {
        const line = findLine(text, pattern);
        return line ? [`${name}:${line} uses a name that was given up (${pattern.exec(text)?.[0]}). Say: ${instead}.`] : [];
      }),
    ]);
