import { Section } from "#components/ui/layout/section";
import { TextLink } from "#components/ui/layout/text-link";

export function NotMappable({ source }: { source: string }) {
  return (
    <Section title="Field mapping">
      <p className="max-w-[72ch] text-13">
        The fields of {source} can't be mapped: its events are read as its template says. Change how they are read in{" "}
        <TextLink href="/settings/sources">Sources and secrets</TextLink>.
      </p>
    </Section>
  );
}
